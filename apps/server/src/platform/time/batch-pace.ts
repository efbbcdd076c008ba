/** Milliseconds that a batch should take. A batch must not hold the writer over 20 ms, and a busy machine may double a time. */
const AIM_MS = 8
/** Batches that count. The fastest of them says what an item costs, the others what else the machine did. */
const REMEMBERED = 8
/** Fewest items: with fewer, the batch's own statements and its commit take longer than the items. */
export const LEAST_ITEMS = 32
const MOST_ITEMS = 256

/** Batches whose size follows the time that they take. */
export interface BatchPace {
  /** Items of the next batch. */
  readonly size: number
  /** Runs a batch and measures it. @param items how many it has: a smaller one than `size` says nothing about the size. */
  run<Result>(items: number, work: () => Promise<Result>): Promise<Result>
}

/** @param nowMs a time in milliseconds that never goes back. */
export function createBatchPace(nowMs = () => performance.now()): BatchPace {
  let size = LEAST_ITEMS
  let itemMs: number[] = []
  return {
    get size() {
      return size
    },
    async run(items, work) {
      const startedMs = nowMs()
      const result = await work()
      if (items < size) return result
      itemMs = [(nowMs() - startedMs) / items, ...itemMs].slice(0, REMEMBERED)
      size = nextSize(size, Math.min(...itemMs))
      return result
    },
  }
}

/** As many items as fit the aim, but at most twice as many as before: one fast batch says little. */
function nextSize(size: number, itemMs: number): number {
  const fitting = itemMs > 0 ? AIM_MS / itemMs : MOST_ITEMS
  return Math.round(Math.min(Math.max(fitting, LEAST_ITEMS), 2 * size, MOST_ITEMS))
}

/** Milliseconds that a batch should take. A batch must not hold the writer over 20 ms, and a busy machine may double a time. */
const AIM_MS = 8
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
  return {
    get size() {
      return size
    },
    async run(items, work) {
      const startedMs = nowMs()
      const result = await work()
      if (items >= size) size = nextSize(size, nowMs() - startedMs)
      return result
    },
  }
}

/** As many items as fit the aim. It at most doubles or halves, because one slow batch says little. */
function nextSize(size: number, tookMs: number): number {
  const fitting = (size * AIM_MS) / Math.max(tookMs, 1)
  const next = Math.min(Math.max(fitting, size / 2), size * 2)
  return Math.round(Math.min(Math.max(next, LEAST_ITEMS), MOST_ITEMS))
}

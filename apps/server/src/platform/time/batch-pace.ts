/** Milliseconds that a batch should take. A batch must not hold the writer over 20 ms, and a collection of garbage may add 15. */
const AIM_MS = 5
/** Full batches that count. The fastest of them says what an item costs, the others what else the machine did. */
const REMEMBERED = 8
/** Fewest items by default: with fewer, the batch's own statements and its commit take longer than the items. */
export const LEAST_ITEMS = 32

/**
 * Chooses how many items a batch handles, by the time that those before it took. In PGlite a batch holds the only connection and
 * so the writer; a fixed number that is right on one machine is too slow on another.
 */
export interface BatchPace {
  /** Runs a batch of at most as many items. It returns how many there were: a batch that is not full says nothing of a full one. */
  run(batch: (most: number) => Promise<number>): Promise<void>
}

/**
 * @param limits the fewest and the most items of a batch. It begins with the fewest.
 * @param nowMs a time in milliseconds that never goes back.
 */
export function createBatchPace(
  { least = LEAST_ITEMS, most = 256 } = {},
  nowMs: () => number = () => performance.now(),
): BatchPace {
  let size = least
  let itemMs: number[] = []
  return {
    async run(batch) {
      const startedMs = nowMs()
      const items = await batch(size)
      if (items < size) return
      itemMs = [(nowMs() - startedMs) / items, ...itemMs].slice(0, REMEMBERED)
      const cheapestMs = Math.min(...itemMs)
      const fitting = cheapestMs > 0 ? Math.round(AIM_MS / cheapestMs) : most
      // At most twice as many as before: one fast batch says little.
      size = Math.max(least, Math.min(fitting, 2 * size, most))
    },
  }
}

/** Batches of one size. */
export function fixedPace(size: number): BatchPace {
  return { run: async (batch) => void (await batch(size)) }
}

/** The time that a step should take. A pause of the database or of the process still fits below the limit of 20 ms. */
const TARGET_MS = 5
/** A slow step says little about the next one, so a step grows to twice the size of the one before it at most. */
const GROWTH = 2

/**
 * Chooses how many items one step handles, by the time that the step before it took. In PGlite a step holds the only
 * connection and so the writer; a fixed number that is right on one machine is too slow on another.
 */
export interface BatchSize {
  /** Runs a step with its number of items. The step returns how many there were. */
  run(step: (most: number) => Promise<number>): Promise<void>
}

/**
 * @param limits the fewest and the most items of a step. It begins with the fewest.
 * @param nowMs a clock that never goes back.
 */
export function createBatchSize(
  { least, most }: { readonly least: number; readonly most: number },
  nowMs: () => number,
): BatchSize {
  let size = least
  return {
    async run(step) {
      const startedMs = nowMs()
      const items = await step(size)
      const tookMs = nowMs() - startedMs
      // A part of a step says nothing about a whole one, unless even the part was slow.
      if (items < size && tookMs <= TARGET_MS) return
      const fitting = tookMs > 0 ? Math.floor((items * TARGET_MS) / tookMs) : most
      size = Math.max(least, Math.min(fitting, size * GROWTH, most))
    },
  }
}

/**
 * The length of a run, and the batch sizes of the steps that close a day. A run of 256 boxes makes a path of 20 hashes for a million.
 * A reward has an amount of each asset, so a step of rewards has fewer boxes.
 */
export function createDayBatchSizes(nowMs: () => number) {
  const batchSize = (most: number) => createBatchSize({ least: 32, most }, nowMs)
  return { boxesPerRun: 256, batchSizes: { tree: batchSize(256), draws: batchSize(256), rewards: batchSize(128) } }
}

/** The batch sizes of the work on the boxes of divided days, which costs several times as much for each box. */
export function createRoundBatchSizes(nowMs: () => number) {
  const batchSize = () => createBatchSize({ least: 8, most: 64 }, nowMs)
  return { announce: batchSize(), remind: batchSize(), expire: batchSize() }
}

/** Steps of one size. */
export function fixedBatchSize(size: number): BatchSize {
  return { run: async (step) => void (await step(size)) }
}

import { createBatchPace } from '../../platform/time/batch-pace.ts'

/**
 * The length of a run, and the paces of the steps that close a day. A run of 256 boxes makes a path of 20 hashes for a million. A
 * reward has an amount of each asset, so a step of rewards has fewer boxes.
 */
export function createDayPaces() {
  return {
    boxesPerRun: 256,
    paces: { tree: createBatchPace(), draws: createBatchPace(), rewards: createBatchPace({ most: 128 }) },
  }
}

/** The paces of the work on the boxes of divided days, which costs several times as much for each box. */
export function createRoundPaces() {
  const pace = () => createBatchPace({ least: 8, most: 64 })
  return { announce: pace(), remind: pace(), expire: pace() }
}

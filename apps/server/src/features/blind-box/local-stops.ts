import type { Queryable } from '@clearwell/ledger/database'
import type { BoxRules } from '@clearwell/rules/box-rules'
import { boundsOfDay, hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import { MINUTE_MS } from '@clearwell/rules/spans'
import { hasUndividedBoxes, readDay } from './box-day.store.ts'

/** After the end of a day: the root is published. After each time of the ladder: the block of a draw is there. */
const ROOT_AFTER_MS = 1_000
const BLOCK_AFTER_MS = 1_000
const BETWEEN_BLOCKS_MS = 1_000
/** Before a day: the commitment is in time. */
const COMMIT_BEFORE_MS = 60_000

/**
 * Returns the moments at which an advance of the local clock stops, so that today closes as it does without an advance and
 * the last day has a commitment from before it began. The local chain mines a block at each stop, so the block of the draw
 * has its confirmations, and its seed is published in time, however long the advance is. Each stop runs every job, so a day
 * without boxes has none.
 */
export async function stopsOfAdvance(
  db: Queryable,
  {
    from,
    to,
    confirmations,
    rules,
  }: {
    readonly from: Date
    readonly to: Date
    readonly confirmations: number
    readonly rules: Pick<BoxRules, 'blockMinutes'>
  },
): Promise<Date[]> {
  const [first, last] = [hongKongDayOf(from), hongKongDayOf(to)]
  if (first === last) return []
  const endMs = boundsOfDay(first).closesAt.getTime()
  // A day before this one may have moved the root to a later time.
  const blocks = rules.blockMinutes.flatMap((minutes) =>
    Array.from(
      { length: confirmations + 1 },
      (_, after) => minutes * MINUTE_MS + BLOCK_AFTER_MS + after * BETWEEN_BLOCKS_MS,
    ),
  )
  const stops = (await hasUndividedBoxes(db, first)) ? [ROOT_AFTER_MS, ...blocks].map((ms) => endMs + ms) : []
  if (!(await readDay(db, last))) stops.push(boundsOfDay(last).opensAt.getTime() - COMMIT_BEFORE_MS)
  return stops.filter((ms) => ms < to.getTime()).map((ms) => new Date(ms))
}

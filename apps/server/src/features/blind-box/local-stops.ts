import { addDays, boundsOfDay, hongKongDayOf } from '@clearwell/rules/hong-kong-day'

/** After the end of a day: the root is published, and the next block is late enough for the draw. */
const ROOT_AFTER_MS = 1_000
const BLOCK_AFTER_MS = 61_000
/** Before a day: the commitment is in time. */
const COMMIT_BEFORE_MS = 60_000

/**
 * Returns the moments at which an advance of the local clock stops, so that today closes as it does without an advance and
 * the last day has a commitment from before it began.
 */
export function stopsOfAdvance(from: Date, to: Date): Date[] {
  const [first, last] = [hongKongDayOf(from), hongKongDayOf(to)]
  if (first === last) return []
  const endMs = boundsOfDay(first).closesAt.getTime()
  const eveMs = boundsOfDay(last).opensAt.getTime() - COMMIT_BEFORE_MS
  const stops = [endMs + ROOT_AFTER_MS, endMs + BLOCK_AFTER_MS]
  if (last !== addDays(first, 1)) stops.push(eveMs)
  return stops.filter((ms) => ms < to.getTime()).map((ms) => new Date(ms))
}

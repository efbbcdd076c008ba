import type { BoxRules } from './box-rules.ts'
import { boundsOfDay, type HongKongDay } from './hong-kong-day.ts'
import { HOUR_MS, MINUTE_MS } from './spans.ts'

/**
 * The times of a day's draw. The block is due at the first time of a fixed ladder that leaves enough minutes after the root,
 * so an operator who publishes late only moves to another block that is unknown yet.
 */
export type LadderRules = Pick<BoxRules, 'blockMinutes' | 'rootMarginMinutes' | 'revealHours'>

/** `no_root`: the root came too late for every block. `no_seed`: the seed was not published in time after the block. */
export type VoidReason = 'no_root' | 'no_seed'

/**
 * Returns the time that the block of a day must reach: the first of the ladder that is late enough after the root.
 *
 * @returns `undefined` for a root after {@link rootDeadline}: the day is void.
 */
export function blockTimeOf(day: HongKongDay, rootAt: Date, rules: LadderRules): Date | undefined {
  const earliest = rootAt.getTime() + rules.rootMarginMinutes * MINUTE_MS
  return timesOf(day, rules).find((time) => time.getTime() >= earliest)
}

/** Returns the last moment at which a root counts. */
export function rootDeadline(day: HongKongDay, rules: LadderRules): Date {
  const last = timesOf(day, rules).at(-1)
  if (!last) throw new RangeError('rootDeadline: the ladder has no times')
  return new Date(last.getTime() - rules.rootMarginMinutes * MINUTE_MS)
}

/** Returns the last moment at which a seed counts. */
export function revealDeadline(blockTime: Date, { revealHours }: LadderRules): Date {
  return new Date(blockTime.getTime() + revealHours * HOUR_MS)
}

function timesOf(day: HongKongDay, { blockMinutes }: LadderRules): Date[] {
  const endMs = boundsOfDay(day).closesAt.getTime()
  return blockMinutes.map((minutes) => new Date(endMs + minutes * MINUTE_MS))
}

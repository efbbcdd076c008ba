import { addDays, type HongKongDay } from './hong-kong-day.ts'

/** A membership level, 0 to 5. */
export type MembershipLevel = 0 | 1 | 2 | 3 | 4 | 5

/** The highest membership level. */
export const MAX_LEVEL = 5

/** The largest streak factor, in hundredths. */
export const MAX_STREAK_HUNDREDTHS = 200n

/**
 * Computes the level factor in tenths: 1.0 + 0.2 for each membership level (product rule "Blind box and node").
 *
 * @throws RangeError if the level is not 0 to 5.
 */
export function levelTenths(level: MembershipLevel): bigint {
  if (!isMembershipLevel(level)) throw new RangeError(`levelTenths: ${level} is not a level from 0 to 5`)
  return 10n + 2n * BigInt(level)
}

/**
 * Computes the streak factor in hundredths: 1.00 + 0.05 for each consecutive day before this one, at most 2.00.
 *
 * @param streak the number of consecutive days with a click, up to and including the day before.
 * @throws RangeError if the streak is not a whole number from 0.
 */
export function streakHundredths(streak: number): bigint {
  if (!Number.isSafeInteger(streak) || streak < 0) throw new RangeError(`streakHundredths: ${streak} is not a streak`)
  const factor = 100n + 5n * BigInt(streak)
  return factor < MAX_STREAK_HUNDREDTHS ? factor : MAX_STREAK_HUNDREDTHS
}

/**
 * Computes the power of a box in thousandths: level factor × streak factor × draw. Exact: tenths times hundredths are
 * thousandths, so nothing is rounded.
 *
 * @param draw the factor that was drawn; 1 while the box is sealed.
 */
export function powerThousandths(box: {
  readonly level: MembershipLevel
  readonly streak: number
  readonly draw: number
}): bigint {
  return levelTenths(box.level) * streakHundredths(box.streak) * BigInt(box.draw)
}

/**
 * Counts the consecutive days before a click.
 *
 * @param last the user's latest click and the streak that it had; `undefined` before the first click.
 * @throws RangeError if the latest click is not on an earlier day: a user clicks once a day.
 */
export function streakOn(
  day: HongKongDay,
  last: { readonly day: HongKongDay; readonly streak: number } | undefined,
): number {
  if (last === undefined) return 0
  // Days are as long as each other, so the order of their texts is the order of the days.
  if (last.day >= day) throw new RangeError(`streakOn: the latest click is on ${last.day}, which is not before ${day}`)
  return last.day === addDays(day, -1) ? last.streak + 1 : 0
}

function isMembershipLevel(level: number): level is MembershipLevel {
  return Number.isInteger(level) && level >= 0 && level <= MAX_LEVEL
}

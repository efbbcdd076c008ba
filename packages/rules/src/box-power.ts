import { minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import { E18 } from '@clearwell/money/scale'
import type { BoxRules } from './box-rules.ts'
import { addDays, daysBefore, type HongKongDay } from './hong-kong-day.ts'

/** A membership level, 0 to 5. */
export type MembershipLevel = 0 | 1 | 2 | 3 | 4 | 5

/** The highest membership level. */
export const MAX_LEVEL = 5

/** Basis points of 1. */
const ONE_BPS = 10_000n

/** The rules that make a power. */
export type PowerRules = Pick<BoxRules, 'levelStepBps' | 'streakStepBps' | 'streakMaxBps'>

/**
 * Computes the level factor in basis points: 1 and a step for each membership level.
 *
 * @throws RangeError if the level is not 0 to 5.
 */
export function levelFactorBps(level: MembershipLevel, { levelStepBps }: PowerRules): bigint {
  if (!isMembershipLevel(level)) throw new RangeError(`levelFactorBps: ${level} is not a level from 0 to 5`)
  return ONE_BPS + BigInt(levelStepBps) * BigInt(level)
}

/**
 * Computes the streak factor in basis points: 1 and a step for each consecutive day before this one, up to a limit.
 *
 * @param streak the number of consecutive days with a click, up to and including the day before.
 * @throws RangeError if the streak is not a whole number from 0.
 */
export function streakFactorBps(streak: number, { streakStepBps, streakMaxBps }: PowerRules): bigint {
  if (!Number.isSafeInteger(streak) || streak < 0) throw new RangeError(`streakFactorBps: ${streak} is not a streak`)
  const added = BigInt(streakStepBps) * BigInt(streak)
  return ONE_BPS + minUnits(added, BigInt(streakMaxBps))
}

/**
 * Computes the power of a box: its owner's fees × level factor × streak factor × draw (product rule "Blind box and node").
 *
 * @param fees the revenue part of the owner's swap fees in the days before, in base units of USDT.
 * @param draw the factor that was drawn; 1 while the box is sealed.
 * @returns in base units of USDT, rounded down once. Zero without fees.
 */
export function powerOf(
  box: {
    readonly fees: bigint
    readonly level: MembershipLevel
    readonly streak: number
    readonly draw: number
  },
  rules: PowerRules,
): bigint {
  const factors = levelFactorBps(box.level, rules) * streakFactorBps(box.streak, rules) * BigInt(box.draw)
  return mulDiv(box.fees, factors, ONE_BPS * ONE_BPS, 'down')
}

/**
 * Computes the part of a swap fee that makes power: the revenue in USDT, by the USDT side of the same swap, but at most at the price
 * that the market has. Rounded down.
 *
 * Without the market's price, a trader who moves the pool first would pay a fee in an asset at a price of their own making, and that
 * fee would buy more power than it is worth (docs/decisions/0029-fees-at-market-price.md).
 *
 * @param revenue the part of the fee that is revenue, in the asset sold.
 * @param sold the amount sold, the same asset.
 * @param usdt the USDT that the swap sold or bought.
 * @param marketE18 USDT for a unit of the asset sold, at 10^18: zero for an asset that only our pool prices; absent for USDT itself, and
 * while no price is known.
 */
export function feeInUsdt({
  revenue,
  sold,
  usdt,
  marketE18,
}: {
  readonly revenue: bigint
  readonly sold: bigint
  readonly usdt: bigint
  readonly marketE18?: bigint | undefined
}): bigint {
  if (sold === 0n) return 0n
  const bySwap = mulDiv(revenue, usdt, sold, 'down')
  return marketE18 === undefined ? bySwap : minUnits(bySwap, mulDiv(revenue, marketE18, E18, 'down'))
}

/** Returns the days whose fees count for a box of a day: those before it, the earliest first. */
export function feeDaysOf(day: HongKongDay, { feeDays }: Pick<BoxRules, 'feeDays'>): HongKongDay[] {
  return daysBefore(day, feeDays)
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

export function isMembershipLevel(level: number): level is MembershipLevel {
  return Number.isInteger(level) && level >= 0 && level <= MAX_LEVEL
}

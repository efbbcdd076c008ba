import { mulDiv } from '@clearwell/money/mul-div'
import { BPS, E18 } from '@clearwell/money/scale'
import { addDays, boundsOfDay, type HongKongDay, hongKongDayOf } from './hong-kong-day.ts'
import { DAY_MS, HOUR_MS } from './spans.ts'
import { squareRoot } from './square-root.ts'
import type { PoolReserves, SwapFees } from './swap.ts'

/**
 * Planned swaps: a limit waits for a price, a schedule repeats at an hour. Prices are 18-decimal fixed point of the quote
 * asset for one of the base asset. `inverse` sells the quote asset.
 */
export type PlanInterval = 'day' | 'week' | 'month'

/** A price below this input reserve, in base units, is out of reach: rounding would decide it. */
const LEAST_RESERVE = 1_000_000n

/**
 * Computes the least output of a limit, after fee and impact: `amount × P`, or `amount ÷ P` when it sells the quote asset.
 *
 * Rounded up: the limit protects its owner.
 *
 * @throws RangeError if the price is zero.
 */
export function leastLimitOutput(limit: {
  readonly amountIn: bigint
  readonly priceE18: bigint
  readonly inverse: boolean
}): bigint {
  return atPrice(limit, 'up')
}

/**
 * Computes the least output of a scheduled run: the amount at the spot price, less the fee and the owner's slippage.
 *
 * Rounded up, once. Without impact the pool at exactly this price, less a slippage of zero, may be one unit short.
 *
 * @param run.priceE18 the spot price, or the pool's mean price of the last hour where no spot market lists the pair.
 */
export function leastScheduleOutput(run: {
  readonly amountIn: bigint
  readonly priceE18: bigint
  readonly inverse: boolean
  readonly feeBps: bigint
  readonly slippageBps: bigint
}): bigint {
  const { amountIn, priceE18, inverse, feeBps, slippageBps } = run
  const kept = (BPS - feeBps) * (BPS - slippageBps)
  return inverse
    ? mulDiv(amountIn * kept, E18, priceE18 * BPS * BPS, 'up')
    : mulDiv(amountIn * kept, priceE18, E18 * BPS * BPS, 'up')
}

/**
 * Values an amount at a price, without fee and impact.
 *
 * Rounded down: an amount never counts for more than it is.
 */
export function worthAtPrice(swap: {
  readonly amountIn: bigint
  readonly priceE18: bigint
  readonly inverse: boolean
}): bigint {
  return atPrice(swap, 'down')
}

function atPrice(
  { amountIn, priceE18, inverse }: { amountIn: bigint; priceE18: bigint; inverse: boolean },
  rounding: 'up' | 'down',
): bigint {
  return inverse ? mulDiv(amountIn, E18, priceE18, rounding) : mulDiv(amountIn, priceE18, E18, rounding)
}

/**
 * Computes the pool's mid price from which on a limit can be made whole, while the pool keeps its depth: at or above it when
 * the limit sells the base asset, at or below it when it sells the quote asset.
 *
 * Formula: with `n` the amount after the fee, `m` the least output and `k` the product of the reserves, the output
 * `n × (k ÷ r) ÷ (r + n)` is at least `m` for an input reserve `r` up to `(√(n² + 4nk ÷ m) − n) ÷ 2`.
 *
 * Rounded away from the market, so the limit waits at most one unit of the price longer than it must.
 *
 * @returns `undefined` if the pool can never reach it, or has no reserves.
 */
export function limitTriggerE18(limit: {
  readonly amountIn: bigint
  readonly leastOut: bigint
  readonly inverse: boolean
  readonly reserves: PoolReserves
  readonly fees: Pick<SwapFees, 'totalBps'>
}): bigint | undefined {
  const { amountIn, leastOut, inverse, reserves, fees } = limit
  const product = reserves.base * reserves.quote
  if (leastOut === 0n) return undefined
  const netIn = mulDiv(amountIn, BPS - fees.totalBps, BPS, 'down')
  const reserveIn = (squareRoot(netIn * netIn + (4n * netIn * product) / leastOut) - netIn) / 2n
  // Also in a pool without reserves, where this is zero.
  if (reserveIn < LEAST_RESERVE) return undefined
  const square = reserveIn * reserveIn
  const triggerE18 = inverse ? mulDiv(square, E18, product, 'down') : mulDiv(product, E18, square, 'up')
  return triggerE18 === 0n ? undefined : triggerE18
}

/** Returns whether the pool's mid price has reached a limit's trigger, without rounding. */
export function isTriggerReached(
  { triggerE18, inverse }: { readonly triggerE18: bigint; readonly inverse: boolean },
  { base, quote }: PoolReserves,
): boolean {
  if (base === 0n || quote === 0n) return false
  return inverse ? quote * E18 <= triggerE18 * base : quote * E18 >= triggerE18 * base
}

/** Computes a pool's depth: the square root of its reserves' product, rounded down. Trades barely change it; liquidity does. */
export function poolDepth({ base, quote }: PoolReserves): bigint {
  return squareRoot(base * quote)
}

/** One run of a schedule: its date, and the hour within which the leader draws its moment. */
export interface ScheduledHour {
  readonly date: HongKongDay
  readonly opensAt: Date
}

/**
 * Finds the first run of a schedule whose hour opens at `notBefore` or later. A month that lacks the anchor's day has its run
 * on its last day.
 *
 * @param schedule.anchor the day of the first run: its day of the week or of the month is that of all runs.
 * @param schedule.hour 0 to 23, Hong Kong time.
 */
export function nextScheduledHour(schedule: {
  readonly anchor: HongKongDay
  readonly every: PlanInterval
  readonly hour: number
  readonly notBefore: Date
}): ScheduledHour {
  const { anchor, every, hour, notBefore } = schedule
  for (let index = firstIndex(schedule); ; index += 1) {
    const date = dateOfRun(anchor, every, index)
    const opensAt = new Date(boundsOfDay(date).opensAt.getTime() + hour * HOUR_MS)
    if (opensAt >= notBefore) return { date, opensAt }
  }
}

/** Returns the number of a run that is not after the first one at `notBefore`. */
function firstIndex({
  anchor,
  every,
  notBefore,
}: {
  readonly anchor: HongKongDay
  readonly every: PlanInterval
  readonly notBefore: Date
}): number {
  if (every === 'month') return Math.max(0, monthsOf(hongKongDayOf(notBefore)) - monthsOf(anchor))
  const sinceMs = notBefore.getTime() - boundsOfDay(anchor).opensAt.getTime()
  return Math.max(0, Math.floor(sinceMs / (every === 'day' ? DAY_MS : 7 * DAY_MS)))
}

function dateOfRun(anchor: HongKongDay, every: PlanInterval, index: number): HongKongDay {
  if (every !== 'month') return addDays(anchor, every === 'day' ? index : 7 * index)
  const months = monthsOf(anchor) + index
  const [year, month] = [Math.floor(months / 12), months % 12]
  // Day 0 of the next month is the last day of this one.
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const day = Math.min(Number(anchor.slice(8)), lastDay)
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10) as HongKongDay
}

/** Months since the year 0. */
function monthsOf(day: HongKongDay): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
}

/**
 * Draws the moment of a run within its hour, to the millisecond.
 *
 * @param draw unguessable text of at least 12 hex characters.
 */
export function momentWithinHour(opensAt: Date, draw: string): Date {
  const drawn = Number.parseInt(draw.slice(0, 12), 16)
  if (!Number.isSafeInteger(drawn)) throw new RangeError('momentWithinHour: the draw must be hex text')
  return new Date(opensAt.getTime() + (drawn % HOUR_MS))
}

/**
 * Computes the mean of a pool's closing prices, one for each minute of the last hour.
 *
 * Rounded down. `undefined` without a price.
 */
export function meanPriceE18(closesE18: readonly bigint[]): bigint | undefined {
  if (closesE18.length === 0) return undefined
  return closesE18.reduce((sum, close) => sum + close, 0n) / BigInt(closesE18.length)
}

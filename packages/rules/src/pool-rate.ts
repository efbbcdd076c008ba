import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import { E18 } from '@clearwell/money/scale'
import { EXPONENT_SCALE, growIndex, interestBetween, RAY } from './borrow-index.ts'
import { type InterestCurve, YEAR_SECONDS } from './interest.ts'

/**
 * The interest rate of all loans of a pool, as of the pool's last accrual. Rates are nominal per year at 10^18, compounded
 * continuously.
 *
 * The rate is `below + above`. `below` follows the curve immediately. `above`, the part above the kink, moves evenly towards its
 * target, so that a borrower has time to repay. A pool stores all four numbers: accrual needs no configuration, and a change of the
 * parameters never reaches back.
 */
export interface PoolRate {
  readonly belowE18: bigint
  readonly aboveE18: bigint
  readonly targetE18: bigint
  /** By how much `above` moves in a second, at most. */
  readonly speedE18: bigint
}

/** The rate of a pool that was never priced. */
export const NO_RATE: PoolRate = { belowE18: 0n, aboveE18: 0n, targetE18: 0n, speedE18: 0n }

/** The curve of a pool, and how fast its steep part is followed. */
export interface RateCurve extends InterestCurve {
  /** The part above the kink moves in an hour by at most this much of its range, in basis points: 1000. */
  readonly hourlyStepBps: bigint
}

/** Basis points times the seconds of an hour. */
const BPS_HOUR = 10_000n * 3_600n

/** Returns the rate that loans pay at this moment, per year at 10^18. */
export function currentRate({ belowE18, aboveE18 }: PoolRate): bigint {
  return belowE18 + aboveE18
}

/** Moves a rate on by whole seconds. Exact. */
export function advanceRate(rate: PoolRate, seconds: bigint): PoolRate {
  const { aboveE18, targetE18, speedE18 } = rate
  const step = speedE18 * seconds
  const moved = aboveE18 < targetE18 ? minUnits(targetE18, aboveE18 + step) : maxUnits(targetE18, aboveE18 - step)
  return { ...rate, aboveE18: moved }
}

/**
 * Computes the integral of a rate over the next seconds, at 10^36: the exponent by which the index grows.
 *
 * `above` is a ramp and then a constant, so the integral is a closed form. It is exact up to the last division, which is rounded up.
 */
export function exponentOf({ belowE18, aboveE18, targetE18, speedE18 }: PoolRate, seconds: bigint): bigint {
  const isRising = aboveE18 < targetE18
  const distance = isRising ? targetE18 - aboveE18 : aboveE18 - targetE18
  const isOnRamp = speedE18 * seconds < distance
  // Twice the area under the ramp, or under the target with the triangle that the ramp leaves out or adds.
  const [level, triangle, divisor] = isOnRamp
    ? [aboveE18, speedE18 * seconds * seconds, 1n]
    : [targetE18, distance * distance, maxUnits(1n, speedE18)]
  const isAdded = isOnRamp === isRising
  const doubled = 2n * (belowE18 + level) * seconds * divisor + (isAdded ? triangle : -triangle)
  return mulDiv(doubled, EXPONENT_SCALE, 2n * divisor * E18 * YEAR_SECONDS, 'up')
}

/**
 * Sets a rate to the curve at a utilisation: the part below the kink immediately, the part above it as the new target. `above`
 * moves by at most a part of its range an hour (`hourlyStepBps`), in both directions. Its range is that of the curve, or where `above` is larger (the
 * operator lowered the slope), `above`.
 *
 * Both parts are rounded up, for the pool. Source of the curve: {@link borrowRate} of `interest.ts`, whose two parts these are.
 *
 * @param rate as of now.
 * @param utilisationE18 0 to 10^18.
 * @throws RangeError if the utilisation or the kink is out of range.
 */
export function repriceRate(rate: PoolRate, curve: RateCurve, utilisationE18: bigint): PoolRate {
  const { baseE18, kinkE18, slopeToKinkE18, slopeAboveKinkE18, hourlyStepBps } = curve
  if (utilisationE18 < 0n || utilisationE18 > E18) throw new RangeError('repriceRate: utilisation must be 0 to 1')
  if (kinkE18 <= 0n || kinkE18 >= E18) throw new RangeError('repriceRate: the kink must be between 0 and 1')
  const used = minUnits(utilisationE18, kinkE18)
  const range = maxUnits(slopeAboveKinkE18, rate.aboveE18)
  return {
    belowE18: baseE18 + mulDiv(slopeToKinkE18, used, kinkE18, 'up'),
    aboveE18: rate.aboveE18,
    targetE18: mulDiv(slopeAboveKinkE18, utilisationE18 - used, E18 - kinkE18, 'up'),
    speedE18: maxUnits(1n, (range * hourlyStepBps) / BPS_HOUR),
  }
}

/** Computes what an amount costs at a constant rate for a time. Rounded up, against the borrower. */
export function interestOver(amount: bigint, rateE18: bigint, seconds: bigint): bigint {
  const constant = { belowE18: rateE18, aboveE18: 0n, targetE18: 0n, speedE18: 0n }
  return interestBetween(amount, RAY, growIndex(RAY, exponentOf(constant, seconds)))
}

/**
 * Computes the rate from which on the borrower of a new order is notified: twice that of the opening, and never below a least rate:
 * a step from 0.001 % to 0.002 % is no news.
 */
export function rateToNotify(openedAtE18: bigint, leastE18: bigint): bigint {
  return maxUnits(2n * openedAtE18, leastE18)
}

/**
 * Computes the next rate to notify at, after a rate has reached this one: doubled until it is above the rate.
 *
 * @throws RangeError unless `notifyE18` is above 0.
 */
export function nextRateToNotify(notifyE18: bigint, rateE18: bigint): bigint {
  if (notifyE18 <= 0n) throw new RangeError('nextRateToNotify: the rate must be above 0')
  let next = notifyE18
  while (next <= rateE18) next *= 2n
  return next
}

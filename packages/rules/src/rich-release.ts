import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import { BPS } from '@clearwell/money/scale'
import { starWeight } from './rich-star.ts'

/** The bounds of a day's release. */
export interface ReleaseTerms {
  /** Balance of the programme, in base units. */
  readonly remaining: bigint
  /** The part of the balance that all share where the bound for each unit would pay more. */
  readonly releaseBps: bigint
  /** The most that a unit of weight earns a day, in base units. */
  readonly maxPerWeight: bigint
}

interface Program extends ReleaseTerms {
  /** Weight of the stars that were held for the whole day. */
  readonly weight: bigint
}

/** A day's release. */
export interface Release {
  /** Base units of RT for each unit of weight. */
  readonly perWeight: bigint
  /** `perWeight` × weight: leaves the programme, and equals the shares of all accounts together. */
  readonly released: bigint
}

/**
 * Computes a day's release of the RT program (product rule "Upgrade hub"): for each unit of weight the smaller of a fixed
 * bound and a part of the remaining balance ÷ all weight. So a few stars never earn more than the same stars among many.
 *
 * Rounding: the day's part down, and the share of each unit of weight down. So the shares of all accounts add up to
 * `released` to the unit for any number of them, and the rest stays in the programme. Without weight, nothing is released.
 *
 * @throws RangeError on a negative balance, weight or bound, or a part above 100 %.
 */
export function planRelease({ remaining, releaseBps, maxPerWeight, weight }: Program): Release {
  if (remaining < 0n || weight < 0n || maxPerWeight < 0n)
    throw new RangeError('planRelease: balance, weight and bound must not be negative')
  if (releaseBps < 0n || releaseBps > BPS) throw new RangeError('planRelease: a part must be from 0 to 10000')
  if (weight === 0n) return { perWeight: 0n, released: 0n }
  const perWeight = minUnits(maxPerWeight, mulDiv(remaining, releaseBps, BPS, 'down') / weight)
  return { perWeight, released: perWeight * weight }
}

/**
 * Returns the most weight that the bound for each unit holds for: up to it, no one's share depends on who comes later. Above
 * it, all share one amount.
 *
 * @returns the weight, rounded down; `undefined` without a bound, where all always share one amount.
 */
export function weightBelowSharing({ remaining, releaseBps, maxPerWeight }: ReleaseTerms): bigint | undefined {
  return maxPerWeight === 0n ? undefined : mulDiv(remaining, releaseBps, BPS, 'down') / maxPerWeight
}

/**
 * Computes an account's share of a release if it changes its star level and nothing else changes. An estimate, not a
 * promise. Rounded like the release: the account would receive exactly this.
 *
 * @param change.from the present star level, whose weight is part of the programme's; 0 without a star.
 */
export function shareAfterChange(program: Program, change: { readonly from: number; readonly to: number }): bigint {
  const to = starWeight(change.to)
  // A client may have read the star level and the programme at different moments.
  const others = maxUnits(program.weight - starWeight(change.from), 0n)
  return planRelease({ ...program, weight: others + to }).perWeight * to
}

/** Earnings of one account. */
export interface Earnings {
  /** Weight that counts: up to the day of the last rise, or on every day if no rise is pending. */
  readonly weight: bigint
  /** Weight after the day of the last rise. */
  readonly nextWeight: bigint
  /** Sum of `perWeight` of all releases up to the account's last change. */
  readonly settledIndex: bigint
  /** Earned up to then and not collected, in base units. */
  readonly toCollect: bigint
}

/**
 * Computes what an account has earned and not collected. Exact: nothing is rounded.
 *
 * A release changes one sum for all accounts, so it costs the same for one account as for a million.
 *
 * @param sums.index sum of `perWeight` of all releases so far.
 * @param sums.riseIndex the sum after the release of the day of the last rise; `undefined` until that day is released.
 * @throws RangeError if a sum is older than the account's.
 */
export function earnedBy(
  { weight, nextWeight, settledIndex, toCollect }: Earnings,
  { index, riseIndex = index }: { readonly index: bigint; readonly riseIndex?: bigint | undefined },
): bigint {
  if (riseIndex < settledIndex || index < riseIndex) throw new RangeError('earnedBy: the index must not fall')
  return toCollect + weight * (riseIndex - settledIndex) + nextWeight * (index - riseIndex)
}

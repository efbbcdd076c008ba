import { maxUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import { starWeight } from './rich-star.ts'

const BPS = 10_000n

interface Program {
  /** Balance of the programme, in base units. */
  readonly remaining: bigint
  readonly releaseBps: bigint
  /** Weight of all accounts with a star. */
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
 * Computes a day's release of the RT program (product rule "Upgrade hub"): a part of its remaining balance, shared by weight.
 *
 * Rounding: the day's part down, and the share of each unit of weight down. So the shares of all accounts add up to
 * `released` to the unit for any number of them, and the rest stays in the programme. Without a star, nothing is released.
 *
 * @throws RangeError on a negative balance or weight, or a part above 100 %.
 */
export function planRelease(program: Program): Release {
  const { remaining, releaseBps, weight } = program
  if (remaining < 0n || weight < 0n) throw new RangeError('planRelease: balance and weight must not be negative')
  if (releaseBps < 0n || releaseBps > BPS) throw new RangeError('planRelease: a part must be from 0 to 10000')
  if (weight === 0n) return { perWeight: 0n, released: 0n }
  const perWeight = mulDiv(remaining, releaseBps, BPS, 'down') / weight
  return { perWeight, released: perWeight * weight }
}

/**
 * Computes an account's share of the next release if it changes its star level and nothing else changes. An estimate, not a
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
  readonly star: number
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
 * @param index sum of `perWeight` of all releases so far.
 * @throws RangeError if the index is older than the account's.
 */
export function earnedBy({ star, settledIndex, toCollect }: Earnings, index: bigint): bigint {
  if (index < settledIndex) throw new RangeError('earnedBy: the index must not fall')
  return toCollect + starWeight(star) * (index - settledIndex)
}

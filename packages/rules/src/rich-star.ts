import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import { E18 } from '@clearwell/money/scale'

/** The star levels of the upgrade hub. 0 is no star. */
export const HIGHEST_STAR = 9

/**
 * Returns the total deposit that a star level needs (product rule "Upgrade hub"): the first level's, doubled for each level
 * above it.
 *
 * @param firstDeposit deposit of star level 1, in base units of RT.
 * @throws RangeError if the level is not 1 to 9.
 */
export function requiredDeposit(star: number, firstDeposit: bigint): bigint {
  assertStar(star, 1)
  return firstDeposit * starWeight(star)
}

/**
 * Returns the weight of a star level in the daily release: 2^(level − 1), and 0 without a star.
 *
 * @throws RangeError if the level is not 0 to 9.
 */
export function starWeight(star: number): bigint {
  assertStar(star, 0)
  // A shift by -1 leaves 0: no star has no weight.
  return 1n << BigInt(star - 1)
}

/** Returns the star level after this one; `undefined` at the highest. */
function nextStar(star: number): number | undefined {
  return star === HIGHEST_STAR ? undefined : star + 1
}

/** Returns the highest star level that a deposit is enough for. */
export function highestStarFor(deposit: bigint, firstDeposit: bigint): number {
  let star = 0
  while (star < HIGHEST_STAR && requiredDeposit(star + 1, firstDeposit) <= deposit) star += 1
  return star
}

/**
 * Returns the part of a deposit that the star level does not need: it carries no star, so it can be taken back at any time.
 * Never negative.
 */
export function spareDeposit(star: number, deposit: bigint, firstDeposit: bigint): bigint {
  return maxUnits(0n, deposit - firstDeposit * starWeight(star))
}

/** Progress of a deposit towards the next star level. */
export interface DepositProgress {
  /** `undefined` at the highest level. */
  readonly next: number | undefined
  /** Total deposit that the next level needs; `undefined` at the highest level. */
  readonly required: bigint | undefined
  /** Base units to deposit until then; 0 if the deposit is enough. */
  readonly missing: bigint
  /** Deposit as a part of `required` at 10^18, rounded down and at most 1. */
  readonly progressE18: bigint
}

/** Computes how far a deposit is towards the star level after `star`. */
export function depositProgress(star: number, deposit: bigint, firstDeposit: bigint): DepositProgress {
  const next = nextStar(star)
  if (next === undefined) return { next, required: undefined, missing: 0n, progressE18: E18 }
  const required = requiredDeposit(next, firstDeposit)
  const counted = minUnits(deposit, required)
  return { next, required, missing: required - counted, progressE18: mulDiv(counted, E18, required, 'down') }
}

function assertStar(star: number, least: 0 | 1): void {
  if (!Number.isInteger(star) || star < least || star > HIGHEST_STAR)
    throw new RangeError(`${star} is not a star level from ${least} to ${HIGHEST_STAR}`)
}

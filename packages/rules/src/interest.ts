import { minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import { E18 } from '@clearwell/money/scale'

/** A year of 365 days, in seconds. Rates are per year. */
export const YEAR_SECONDS = 31_536_000n

/** A kinked interest rate curve. All values are fractions at 10^18, rates per year. */
export interface InterestCurve {
  /** The rate of a pool without loans. */
  readonly baseE18: bigint
  /** The utilisation above which the rate rises steeply. More than 0, less than 1. */
  readonly kinkE18: bigint
  /** Added between no utilisation and the kink. */
  readonly slopeToKinkE18: bigint
  /** Added between the kink and full utilisation. */
  readonly slopeAboveKinkE18: bigint
}

/**
 * Computes how much of a pool is lent: `borrowed ÷ (borrowed + cash)` at 10^18. An empty pool has none.
 *
 * Rounded up, against the borrower, whose rate depends on it.
 *
 * @param borrowed principal of all loans, in base units.
 */
export function utilisation({ borrowed, cash }: { readonly borrowed: bigint; readonly cash: bigint }): bigint {
  const supplied = borrowed + cash
  return supplied === 0n ? 0n : mulDiv(borrowed, E18, supplied, 'up')
}

/**
 * Computes the interest rate of a pool at a utilisation, per year at 10^18.
 *
 * Formula: Aave v3, `DefaultReserveInterestRateStrategyV2`: `base + slope1 × u ÷ kink` up to the kink, above it
 * `base + slope1 + slope2 × (u - kink) ÷ (1 - kink)`.
 *
 * Rounded up, for the pool.
 *
 * @param utilisationE18 0 to 10^18.
 * @throws RangeError if the utilisation or the kink is out of range.
 */
export function borrowRate(curve: InterestCurve, utilisationE18: bigint): bigint {
  const { baseE18, kinkE18, slopeToKinkE18, slopeAboveKinkE18 } = curve
  if (utilisationE18 < 0n || utilisationE18 > E18) throw new RangeError('borrowRate: utilisation must be 0 to 1')
  if (kinkE18 <= 0n || kinkE18 >= E18) throw new RangeError('borrowRate: the kink must be between 0 and 1')
  const used = minUnits(utilisationE18, kinkE18)
  const above = mulDiv(slopeAboveKinkE18, utilisationE18 - used, E18 - kinkE18, 'up')
  return baseE18 + mulDiv(slopeToKinkE18, used, kinkE18, 'up') + above
}

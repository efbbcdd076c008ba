import type { LoanPrices } from './loan.ts'

/** The prices of one asset in two sources, at 10^18. Both are equal where there is one exact price, as for USDT. */
export interface PriceRange {
  readonly lowE18: bigint
  readonly highE18: bigint
  readonly meanE18: bigint
}

/** The prices of a pair of assets, from three sides. */
export interface PriceSides {
  /** The better for the borrower: an order is over its limit only if it is so at this one, and then at every other. */
  readonly better: LoanPrices
  /** The worse for the borrower: new loans, taking collateral back, warnings and the ratio that is shown. */
  readonly worse: LoanPrices
  /** Clearing, bonus and loss. */
  readonly mean: LoanPrices
}

/** Combines the ranges of both assets of a loan. */
export function sidesOf(collateral: PriceRange, borrowed: PriceRange): PriceSides {
  return {
    better: { collateral: collateral.highE18, borrowed: borrowed.lowE18 },
    worse: { collateral: collateral.lowE18, borrowed: borrowed.highE18 },
    mean: { collateral: collateral.meanE18, borrowed: borrowed.meanE18 },
  }
}

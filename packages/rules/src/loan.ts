import { mulDiv } from '@clearwell/money/mul-div'
import { BPS, E18 } from '@clearwell/money/scale'

/** Limits of the loan-to-value ratio, in basis points. */
export interface LtvLimits {
  readonly initialBps: bigint
  readonly warningBps: bigint
  readonly liquidationBps: bigint
}

/** Prices of a whole collateral asset and a whole borrowed asset, in one currency and at one scale. */
export interface LoanPrices {
  readonly collateral: bigint
  readonly borrowed: bigint
}

/**
 * Computes the loan-to-value ratio at 10^18: `debt × its price ÷ (collateral × its price)`. Rounded up, against the
 * borrower.
 *
 * @returns `undefined` without collateral.
 */
export function loanToValue(debt: bigint, collateral: bigint, prices: LoanPrices): bigint | undefined {
  if (collateral === 0n) return undefined
  return mulDiv(debt * prices.borrowed, E18, collateral * prices.collateral, 'up')
}

/** Returns whether a debt is within a limit of the loan-to-value ratio. Exact: nothing is rounded. */
export function isWithin(limitBps: bigint, debt: bigint, collateral: bigint, prices: LoanPrices): boolean {
  return debt * prices.borrowed * BPS <= collateral * prices.collateral * limitBps
}

/** Returns whether a debt has reached a limit of the loan-to-value ratio. Exact: nothing is rounded. */
export function hasReached(limitBps: bigint, debt: bigint, collateral: bigint, prices: LoanPrices): boolean {
  return debt * prices.borrowed * BPS >= collateral * prices.collateral * limitBps
}

/** Computes the most that a collateral lets its owner borrow. Rounded down, for the pool. */
export function largestLoan(collateral: bigint, prices: LoanPrices, limits: LtvLimits): bigint {
  return mulDiv(collateral * prices.collateral, limits.initialBps, prices.borrowed * BPS, 'down')
}

/** Computes the least collateral of a debt, for a new loan or when collateral is taken back. Rounded up, for the pool. */
export function leastCollateral(debt: bigint, prices: LoanPrices, limits: LtvLimits): bigint {
  return mulDiv(debt * prices.borrowed, BPS, prices.collateral * limits.initialBps, 'up')
}

/**
 * Computes the price of the collateral, in the borrowed asset at 10^18, at or below which the loan is liquidated.
 *
 * Rounded down: the exact limit lies at or just above it, and at every price of 18 decimals up to it the loan has reached the
 * limit.
 *
 * @returns `undefined` without collateral.
 */
export function liquidationPrice(debt: bigint, collateral: bigint, limits: LtvLimits): bigint | undefined {
  if (collateral === 0n) return undefined
  return mulDiv(debt * BPS, E18, collateral * limits.liquidationBps, 'down')
}

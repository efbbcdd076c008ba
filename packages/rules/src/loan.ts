import { minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import { ACCRUED_PER_UNIT } from './interest.ts'

/** The debt of a loan. Its rate is fixed. Amounts are in base units, times in seconds since 1970. */
export interface Debt {
  readonly principal: bigint
  /** Per year, at 10^18. */
  readonly rateE18: bigint
  /** Interest until `accruedAt` that is not paid, times {@link ACCRUED_PER_UNIT}: an exact integer. */
  readonly accrued: bigint
  readonly accruedAt: bigint
}

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

const BPS = 10_000n
const E18 = 1_000_000_000_000_000_000n

/** Accrued interest at a time, exact: simple interest, per second, on the principal. */
export function accruedAt({ principal, rateE18, accrued, accruedAt: since }: Debt, now: bigint): bigint {
  return now <= since ? accrued : accrued + principal * rateE18 * (now - since)
}

/** Computes the interest that is due. Rounded up, for the pool. */
export function interestDue(debt: Debt, now: bigint): bigint {
  return mulDiv(accruedAt(debt, now), 1n, ACCRUED_PER_UNIT, 'up')
}

/** Computes what repays a loan in full. */
export function totalDebt(debt: Debt, now: bigint): bigint {
  return debt.principal + interestDue(debt, now)
}

/** A repayment. `interest` and `principal` add up to the amount paid. */
export interface Repayment {
  readonly after: Debt
  readonly interest: bigint
  readonly principal: bigint
  /** Interest that the loan no longer owes, times {@link ACCRUED_PER_UNIT}. */
  readonly accrued: bigint
}

/**
 * Repays a loan: first interest, then principal. Unpaid interest stays exact to a fraction of a unit, and
 * a full repayment leaves nothing.
 *
 * @param amount at most the whole debt is taken.
 */
export function repay(debt: Debt, amount: bigint, now: bigint): Repayment {
  const owed = accruedAt(debt, now)
  const due = interestDue(debt, now)
  const interest = minUnits(amount, due)
  const principal = minUnits(amount - interest, debt.principal)
  const accrued = interest === due ? owed : interest * ACCRUED_PER_UNIT
  const after = { ...debt, principal: debt.principal - principal, accrued: owed - accrued, accruedAt: now }
  return { after, interest, principal, accrued }
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

/** Returns whether a loan has reached the liquidation limit. */
export function isLiquidatable(limits: LtvLimits, debt: bigint, collateral: bigint, prices: LoanPrices): boolean {
  return hasReached(limits.liquidationBps, debt, collateral, prices)
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

/**
 * Computes when the growing debt reaches the liquidation limit at unchanged prices, in seconds since 1970.
 *
 * @returns `undefined` if it never does, because the loan bears no interest.
 */
export function timeOfLiquidation(
  debt: Debt,
  {
    collateral,
    prices,
    limits,
  }: { readonly collateral: bigint; readonly prices: LoanPrices; readonly limits: LtvLimits },
  now: bigint,
): bigint | undefined {
  if (isLiquidatable(limits, totalDebt(debt, now), collateral, prices)) return now
  const perSecond = debt.principal * debt.rateE18
  if (perSecond === 0n) return undefined
  // The least debt that reaches the limit, in base units.
  const limit = mulDiv(collateral * prices.collateral, limits.liquidationBps, prices.borrowed * BPS, 'up')
  // Interest is rounded up, so the last unit counts when a fraction of it is due.
  const missing = (limit - debt.principal - 1n) * ACCRUED_PER_UNIT - accruedAt(debt, now)
  return now + missing / perSecond + 1n
}

import { maxUnits, minUnits } from '@clearwell/money/min-max'
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

/** How much a debt may grow before a loan is examined again: a thousandth. */
const WATCHED_GROWTH = 1_000n

/**
 * Computes the price of the collateral, in the borrowed asset at 10^18, from which on a loan is above no limit: exactly at a
 * limit it still counts as reached.
 *
 * @returns `undefined` without collateral.
 */
export function priceAbove(limitBps: bigint, debt: bigint, collateral: bigint): bigint | undefined {
  if (collateral === 0n) return undefined
  return mulDiv(debt * BPS, E18, collateral * limitBps, 'down') + 1n
}

/** When a loan must be examined: if the price of its collateral falls to `price`, or at `until`. */
export interface LoanWatch {
  /** In the borrowed asset, at 10^18. */
  readonly price: bigint
  readonly until: bigint
}

/**
 * Computes a price and a time up to which a loan surely stays below a limit. Both can be stored and indexed, so that the loans
 * that a price change concerns are found without reading the others.
 *
 * The debt grows, so the price holds for a time: until the debt is a thousandth larger, or until the repayment time.
 *
 * @param order `limitBps`: the next limit that the loan has not reached. `priceE18`: the present price, where it is known. The
 * watched price then stays below it, so that a loan near its limit is not found again until the price falls.
 * @param last the repayment time at the latest.
 */
export function watchLoan(
  debt: Debt,
  order: { readonly collateral: bigint; readonly limitBps: bigint; readonly priceE18?: bigint | undefined },
  { now, last }: { readonly now: bigint; readonly last: bigint },
): LoanWatch {
  const { collateral, limitBps, priceE18 } = order
  const perSecond = debt.principal * debt.rateE18
  const owed = totalDebt(debt, now)
  const limit = collateral * limitBps
  // Half of the distance to the limit, so that the time halves as the limit comes near.
  const room = priceE18 === undefined ? owed : (mulDiv(priceE18, limit, E18 * BPS, 'down') - owed) / 2n
  const growth = maxUnits(0n, minUnits(owed / WATCHED_GROWTH, room)) * ACCRUED_PER_UNIT
  const growsFor = perSecond === 0n ? last : growth / perSecond + 1n
  const until = minUnits(last, now + growsFor)
  // Up: at this price and above, the loan is certainly below the limit.
  const price = limit === 0n ? 0n : mulDiv(totalDebt(debt, until) * BPS, E18, limit, 'up')
  return { price, until }
}

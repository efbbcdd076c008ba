import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import { BPS } from '@clearwell/money/scale'
import { debtOfShares, growIndex, RAY, sharesOfPayment } from './borrow-index.ts'
import type { LoanPrices } from './loan.ts'
import { exponentOf } from './pool-rate.ts'

/** The debt of an order. Its shares grow with the index of its pool. Amounts are in base units. */
export interface Debt {
  /** The part of the loan that is not repaid. */
  readonly principal: bigint
  readonly debtShares: bigint
}

/** Computes what repays an order in full. Rounded up, for the pool. */
export function totalDebt({ debtShares }: Debt, indexE27: bigint): bigint {
  return debtOfShares(debtShares, indexE27)
}

/** Computes the interest that is due: the debt above the principal, never below 0. */
export function interestDue(debt: Debt, indexE27: bigint): bigint {
  return maxUnits(0n, totalDebt(debt, indexE27) - debt.principal)
}

/** A part of a debt that ends. `interest` and `principal` add up to the amount. */
export interface Repayment {
  readonly after: Debt
  readonly interest: bigint
  readonly principal: bigint
  /** Debt shares that the order no longer has. */
  readonly debtShares: bigint
}

/**
 * Repays an order: first interest, then principal. The shares of a part are rounded down, for the pool. A full repayment leaves
 * nothing.
 *
 * A part that a liquidation ends is taken in the same order.
 *
 * @param amount at most the whole debt is taken.
 */
export function repay(debt: Debt, amount: bigint, indexE27: bigint): Repayment {
  const owed = totalDebt(debt, indexE27)
  if (amount >= owed) {
    const interest = interestDue(debt, indexE27)
    const after = { principal: 0n, debtShares: 0n }
    return { after, interest, principal: owed - interest, debtShares: debt.debtShares }
  }
  const interest = minUnits(amount, interestDue(debt, indexE27))
  const principal = amount - interest
  const debtShares = sharesOfPayment(amount, indexE27)
  const after = { principal: debt.principal - principal, debtShares: debt.debtShares - debtShares }
  return { after, interest, principal, debtShares }
}

/** The two figures of an order's ratio. They change only when the order itself acts. */
export interface OrderRatio {
  readonly debtShares: bigint
  readonly collateral: bigint
}

/**
 * Computes the key of an order for a limit, to store and to index: `debt shares ÷ collateral ÷ limit`, at 10^27. It changes only
 * when the order acts, and has no time in it: the index is on the side of {@link ratioThreshold}.
 *
 * An order is at or over the limit when its key is at or above the threshold. Key and threshold are rounded against the borrower, so
 * no order at its limit is missed; one that is found is at the limit to within 10^-24 of it.
 *
 * @throws RangeError without collateral: no open order is without.
 */
export function ratioKey({ debtShares, collateral }: OrderRatio, limitBps: bigint): bigint {
  if (collateral <= 0n) throw new RangeError('ratioKey: an open order has collateral')
  return mulDiv(debtShares * BPS, RAY, collateral * limitBps, 'up')
}

/** Computes the threshold of a pair's keys at a price and an index, at 10^27: `collateral price ÷ borrowed price ÷ index`. */
export function ratioThreshold(prices: LoanPrices, indexE27: bigint): bigint {
  return mulDiv(prices.collateral, RAY * RAY, prices.borrowed * indexE27, 'down')
}

/** Returns whether an order is at or over a limit, as an index scan by {@link ratioKey} finds it: the two never differ. */
export function isAtLimit(order: OrderRatio, limitBps: bigint, prices: LoanPrices, indexE27: bigint): boolean {
  return ratioKey(order, limitBps) >= ratioThreshold(prices, indexE27)
}

/**
 * Computes when an order's growing debt reaches a limit at unchanged prices and an unchanged rate, in seconds since 1970: the
 * repayment time at the latest, now if the limit is reached.
 *
 * @param at the pool's index and rate per year at 10^18 now.
 */
export function timeOfLiquidation(
  order: OrderRatio,
  {
    limitBps,
    prices,
    repaymentTime,
  }: { readonly limitBps: bigint; readonly prices: LoanPrices; readonly repaymentTime: bigint },
  { now, indexE27, rateE18 }: { readonly now: bigint; readonly indexE27: bigint; readonly rateE18: bigint },
): bigint {
  const constant = { belowE18: rateE18, aboveE18: 0n, targetE18: 0n, speedE18: 0n }
  const isReached = (time: bigint) =>
    isAtLimit(order, limitBps, prices, growIndex(indexE27, exponentOf(constant, time - now)))
  if (isReached(now)) return minUnits(now, repaymentTime)
  // Not reached at `early`, reached or repayable at `late`: at most 24 halvings for 180 days.
  let [early, late] = [now, repaymentTime]
  while (late - early > 1n) {
    const middle = (early + late) / 2n
    if (isReached(middle)) late = middle
    else early = middle
  }
  return late
}

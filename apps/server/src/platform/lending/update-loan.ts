import { type Debt, hasReached, isLiquidatable, type LtvLimits, totalDebt, watchLoan } from '@clearwell/rules/loan'
import { LOAN_STATUS, type LoanRow, type LoanStatus } from './lending.tables.ts'
import { dateOf, secondsOf } from './lending-books.ts'
import type { FreshPrices } from './loan-prices.ts'

/** Limits at which the borrower is warned, in basis points, in ascending order, and the limit of liquidation. */
export interface WatchedLimits extends LtvLimits {
  readonly lastWarningBps: bigint
}

/** An open order after a change, and the prices that its status can be judged by; `undefined` while a price is stale. */
export interface LoanChange {
  readonly debt: Debt
  readonly collateral: bigint
  readonly prices: FreshPrices | undefined
  /** The user changed the order, so that each warning can be sent again. */
  readonly isByUser: boolean
}

/** Computes an open order after a change: its status, its warnings, and when it must be examined again. */
export function updateLoan(row: LoanRow, change: LoanChange, limits: WatchedLimits, now: Date): LoanRow {
  const { debt, collateral, prices, isByUser } = change
  const status = statusOf(row, change, limits, now)
  const warned = prices ? warnedLevel(change, limits, now, isByUser ? 0 : row.warned) : row.warned
  const watch = watchLoan(
    debt,
    { collateral, limitBps: nextLimit(limits, warned) },
    { now: secondsOf(now), last: secondsOf(row.repayment_time) },
  )
  return {
    ...row,
    status,
    status_at: status === row.status ? row.status_at : now,
    collateral,
    principal: debt.principal,
    accrued: debt.accrued,
    accrued_at: dateOf(debt.accruedAt),
    watch_price: watch.price,
    watch_until: dateOf(watch.until),
    warned,
  }
}

/**
 * Judges an open order: normal, or to be cleared because its repayment time has passed or its ratio has reached the limit of
 * liquidation. Without fresh prices, the ratio keeps the order in its status.
 */
function statusOf(row: LoanRow, change: LoanChange, limits: WatchedLimits, now: Date): LoanStatus {
  const { debt, collateral, prices } = change
  if (now >= row.repayment_time) return LOAN_STATUS.toBeCleared
  if (!prices) return row.status
  const isOver = isLiquidatable(limits, totalDebt(debt, secondsOf(now)), collateral, prices)
  return isOver ? LOAN_STATUS.toBeCleared : LOAN_STATUS.normal
}

/** Returns the highest warning that the order has reached, or `before` if that was higher. */
function warnedLevel(
  { debt, collateral, prices }: LoanChange,
  { warningBps, lastWarningBps }: WatchedLimits,
  now: Date,
  before: number,
): number {
  if (!prices) return before
  const owed = totalDebt(debt, secondsOf(now))
  const reached = [warningBps, lastWarningBps].filter((limit) => hasReached(limit, owed, collateral, prices)).length
  return Math.max(before, reached)
}

/** The limit that an order reaches next. */
function nextLimit({ warningBps, lastWarningBps, liquidationBps }: WatchedLimits, warned: number): bigint {
  return [warningBps, lastWarningBps][warned] ?? liquidationBps
}

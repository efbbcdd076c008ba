import { type Debt, hasReached, isLiquidatable, type LtvLimits, totalDebt, watchLoan } from '@clearwell/rules/loan'
import { LOAN_STATUS, type LoanRow, type LoanStatus } from './lending.tables.ts'
import { dateOf, secondsOf } from './lending-books.ts'
import type { FreshPrices } from './loan-prices.ts'

/** Limits at which the borrower is warned, in basis points, in ascending order, and the limit of liquidation. */
export interface WatchedLimits extends LtvLimits {
  readonly lastWarningBps: bigint
}

/** Seconds before the repayment time at which the borrower is reminded. */
const REMINDERS = [72n, 24n, 1n].map((hours) => hours * 3_600n)

/** An open order after a change, and the prices that its status can be judged by; `undefined` while a price is stale. */
export interface LoanChange {
  readonly debt: Debt
  readonly collateral: bigint
  readonly prices: FreshPrices | undefined
  /** The user changed the order: the user knows its status, and each warning can be sent again. */
  readonly isByUser: boolean
}

/** Computes an open order after a change: its status, its warnings, and when it must be examined again. */
export function updateLoan(row: LoanRow, change: LoanChange, limits: WatchedLimits, now: Date): LoanRow {
  const { debt, collateral, prices, isByUser } = change
  const status = statusOf(row, change, limits, now)
  const warned = prices ? warningsOf(change, limits, now, isByUser ? 0 : row.warned) : row.warned
  const reminded = remindersOf(row, now)
  const isNews = status !== row.status || warned > row.warned || reminded > row.reminded
  return {
    ...row,
    status,
    status_at: status === row.status ? row.status_at : now,
    collateral,
    principal: debt.principal,
    accrued: debt.accrued,
    accrued_at: dateOf(debt.accruedAt),
    ...watchOf(row, { debt, collateral, limitBps: nextLimit(limits, warned), reminded }, now),
    warned,
    reminded,
    is_announced: isByUser || (row.is_announced && !isNews),
  }
}

/** Computes until when, and down to which price, an order keeps its status, its warnings and its reminders. */
export function watchOf(
  { repayment_time: repaymentTime }: Pick<LoanRow, 'repayment_time'>,
  order: {
    readonly debt: Debt
    readonly collateral: bigint
    readonly limitBps: bigint
    readonly reminded: number
  },
  now: Date,
): Pick<LoanRow, 'watch_price' | 'watch_until'> {
  const { debt, collateral, limitBps, reminded } = order
  const last = secondsOf(repaymentTime) - (REMINDERS[reminded] ?? 0n)
  const watch = watchLoan(debt, { collateral, limitBps }, { now: secondsOf(now), last })
  return { watch_price: watch.price, watch_until: dateOf(watch.until) }
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

/** Returns how many warnings the ratio has reached, or `before` if that was more. */
function warningsOf(
  { debt, collateral, prices }: LoanChange,
  { warningBps, lastWarningBps }: WatchedLimits,
  now: Date,
  before: number,
): number {
  if (!prices) return before
  const owed = totalDebt(debt, secondsOf(now))
  const reached = [warningBps, lastWarningBps].filter((limit) => hasReached(limit, owed, collateral, prices)).length
  return Math.max(reached, before)
}

/** Returns how many reminders are due. A loan whose term is shorter than a reminder's time gets that one at its opening. */
export function remindersOf({ repayment_time: due }: Pick<LoanRow, 'repayment_time'>, now: Date): number {
  const left = secondsOf(due) - secondsOf(now)
  return REMINDERS.filter((before) => left <= before).length
}

/** The limit that an order reaches next. */
function nextLimit({ warningBps, lastWarningBps, liquidationBps }: WatchedLimits, warned: number): bigint {
  return [warningBps, lastWarningBps][warned] ?? liquidationBps
}

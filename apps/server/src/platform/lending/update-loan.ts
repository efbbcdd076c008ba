import { mulDiv } from '@clearwell/money/mul-div'
import {
  type Debt,
  hasReached,
  isLiquidatable,
  type LoanPrices,
  type LtvLimits,
  priceAbove,
  totalDebt,
  watchLoan,
} from '@clearwell/rules/loan'
import { LOAN_STATUS, type LoanRow, type OpenLoan } from './lending.tables.ts'
import { dateOf, debtOf, secondsOf } from './lending-books.ts'
import type { FreshPrices } from './loan-prices.ts'

/** Limits at which the borrower is warned, in basis points, in ascending order, and the limit of liquidation. */
export interface WatchedLimits extends LtvLimits {
  readonly lastWarningBps: bigint
}

/** The rules that open orders are judged by, such as {@link LendingRules}. */
export interface JudgeRules {
  readonly limits: WatchedLimits
  readonly limitsVersion: number
}

const E18 = 10n ** 18n
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

/** Computes an open order after a change, which stays open (2 → 0, 0 → 2): its status, its warnings, and when it must be examined again. */
export function updateLoan(row: OpenLoan, change: LoanChange, rules: JudgeRules, now: Date): OpenLoan {
  const { debt, collateral, isByUser } = change
  const status = statusOf(row, change, rules.limits, now)
  const warned = warningsOf(row, change, rules.limits, now)
  const reminded = remindersOf(row, now)
  const isNews = status !== row.status || warned > row.warned || reminded > row.reminded
  const after = {
    ...row,
    status,
    status_at: status === row.status ? row.status_at : now,
    collateral,
    principal: debt.principal,
    accrued: debt.accrued,
    accrued_at: dateOf(debt.accruedAt),
    warned,
    reminded,
    is_announced: isByUser || (row.is_announced && !isNews),
    warning_round: warned < row.warned ? row.warning_round + 1 : row.warning_round,
  }
  return { ...after, ...watchOf(after, rules, { prices: change.prices, now }) }
}

/** The state of an order that decides when it must be examined again. */
export type WatchedLoan = Omit<LoanRow, keyof Watch>
type Watch = Pick<LoanRow, 'watch_price' | 'watch_until' | 'recover_price' | 'limits_version'>

/** Computes until when, and between which prices, an order keeps its status, its warnings and its reminders. */
export function watchOf(
  order: WatchedLoan,
  { limits, limitsVersion }: JudgeRules,
  { prices, now }: { readonly prices: FreshPrices | undefined; readonly now: Date },
): Watch {
  const { collateral, warned, reminded, status } = order
  const debt = debtOf(order)
  const last = secondsOf(order.repayment_time) - (REMINDERS[reminded] ?? 0n)
  const priceE18 = prices && pairPriceE18(prices)
  const limitBps = nextLimit(limits, warned)
  const watch = watchLoan(debt, { collateral, limitBps, priceE18 }, { now: secondsOf(now), last })
  const isOverdue = now >= order.repayment_time
  const isLow = status === LOAN_STATUS.toBeCleared || warned > 0
  const recoversBps = status === LOAN_STATUS.toBeCleared ? limits.liquidationBps : limits.initialBps
  return {
    watch_price: watch.price,
    watch_until: dateOf(watch.until),
    recover_price:
      isLow && !isOverdue ? (priceAbove(recoversBps, totalDebt(debt, secondsOf(now)), collateral) ?? null) : null,
    limits_version: limitsVersion,
  }
}

/** The price of the collateral in the borrowed asset, at 10^18. Down: at an exact limit an order is examined. */
export function pairPriceE18({ collateral, borrowed }: LoanPrices): bigint {
  return mulDiv(collateral, E18, borrowed, 'down')
}

/**
 * Judges an open order: normal, or to be cleared because its repayment time has passed or its ratio has reached the limit of
 * liquidation. Without fresh prices, the ratio keeps the order in its status.
 */
function statusOf(row: OpenLoan, change: LoanChange, limits: WatchedLimits, now: Date): OpenLoan['status'] {
  const { debt, collateral, prices } = change
  if (now >= row.repayment_time) return LOAN_STATUS.toBeCleared
  if (!prices) return row.status
  const isOver = isLiquidatable(limits, totalDebt(debt, secondsOf(now)), collateral, prices)
  return isOver ? LOAN_STATUS.toBeCleared : LOAN_STATUS.normal
}

/**
 * Returns how many warnings count as given: those that the ratio has reached, and earlier ones. A change by the user, or a ratio
 * below the initial limit, takes earlier ones back, so that the order can be warned again.
 */
function warningsOf(row: LoanRow, change: LoanChange, limits: WatchedLimits, now: Date): number {
  const { debt, collateral, prices, isByUser } = change
  if (!prices) return row.warned
  const owed = totalDebt(debt, secondsOf(now))
  const reached = [limits.warningBps, limits.lastWarningBps].filter((limit) =>
    hasReached(limit, owed, collateral, prices),
  ).length
  const isSafe = !hasReached(limits.initialBps, owed, collateral, prices)
  return isByUser || isSafe ? reached : Math.max(reached, row.warned)
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

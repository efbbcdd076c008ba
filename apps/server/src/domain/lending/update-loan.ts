import { type Debt, isAtLimit, type OrderRatio, ratioKey } from '@clearwell/rules/loan-order'
import type { LoanPool } from '@clearwell/rules/loan-pool'
import { currentRate, nextRateToNotify } from '@clearwell/rules/pool-rate'
import { dueAt, type RepaymentStop } from '../../platform/ledger/repayment-stop.ts'
import { LOAN_STATUS, type LoanRow, type OpenLoan } from './lending.tables.ts'
import { secondsOf } from './lending-books.ts'
import type { LendingRules } from './lending-parameters.ts'
import type { UsablePrices } from './loan-prices.ts'

/** The rules that an open order is judged by: those of its opening. */
export type OrderTerms = Pick<LendingRules, 'limits' | 'remindSeconds'>

/** An open order after a change, and the prices that its status can be judged by; `undefined` while money has no price. */
export interface LoanChange {
  readonly debt: Debt
  readonly collateral: bigint
  readonly prices: UsablePrices | undefined
  /** The user changed the order: the user knows its status, and each warning can be sent again. */
  readonly isByUser: boolean
}

/** The order's terms, its pool with the index of this moment, the time, and the last stop of repaying. */
export interface OrderMoment {
  readonly terms: OrderTerms
  readonly pool: LoanPool
  readonly now: Date
  /** In which repaying was stopped last: it moves a repayment time. */
  readonly stop: RepaymentStop | undefined
}

/** While repaying is stopped, an order that would be due is looked at again after this time, in milliseconds. */
const LOOK_AGAIN_MS = 10 * 60_000

/**
 * Computes an open order after a change, which stays open (2 → 0, 0 → 2): its status, its warnings, and when it must be examined
 * again.
 */
export function updateLoan(row: OpenLoan, change: LoanChange, moment: OrderMoment): OpenLoan {
  const { debt, collateral, isByUser } = change
  const { terms, now, stop } = moment
  const due = dueAt(row.repayment_time, stop, now)
  // While repaying is stopped, the end of the stop is not known.
  const waits = due > row.repayment_time && stop?.until === undefined
  const repayment_time = waits ? row.repayment_time : due
  const changed = { ...row, collateral, principal: debt.principal, debt_shares: debt.debtShares, repayment_time }
  const status = statusOf(changed, change.prices, moment, due)
  const warned = warningsOf(changed, change, moment)
  const reminded = waits ? row.reminded : remindersOf(changed, terms, now)
  const rate = rateNewsOf(row, moment)
  const isMoved = repayment_time > row.repayment_time
  const isNews = isMoved || status !== row.status || warned > row.warned || reminded > row.reminded
  const after = {
    ...changed,
    ...rate,
    status,
    status_at: status === row.status ? row.status_at : now,
    warned,
    reminded,
    is_announced: rate.rate_reached_e18 === null && !row.is_part_cleared && (isByUser || (row.is_announced && !isNews)),
    warning_round: warned < row.warned ? row.warning_round + 1 : row.warning_round,
  }
  const watch = watchOf({ ...after, repayment_time: due }, terms, now)
  return { ...after, ...watch, ...(waits && { watch_until: new Date(now.getTime() + LOOK_AGAIN_MS) }) }
}

/** The state of an order that decides when it must be examined again. */
export type WatchedLoan = Omit<LoanRow, keyof Watch>
type Watch = Pick<LoanRow, 'clear_ratio' | 'warn_ratio' | 'recover_ratio' | 'watch_until'>

/** Computes between which ratios and until when an order keeps its status, its warnings and its reminders. */
export function watchOf(order: WatchedLoan, { limits, remindSeconds }: OrderTerms, now: Date): Watch {
  const { warned, reminded, status, repayment_time: due } = order
  const nextWarning = [limits.warningBps, limits.lastWarningBps][warned]
  const reminder = remindSeconds[reminded]
  return {
    clear_ratio: ratioKey(ratioOf(order), limits.liquidationBps),
    warn_ratio: nextWarning === undefined ? null : ratioKey(ratioOf(order), nextWarning),
    recover_ratio: recoverRatioOf(order, limits, { status, isOverdue: now >= due }),
    watch_until: reminder === undefined ? due : new Date(due.getTime() - Number(reminder) * 1_000),
  }
}

/** The two figures that decide the ratio of an order. */
export function ratioOf({
  debt_shares: debtShares,
  collateral,
}: Pick<LoanRow, 'debt_shares' | 'collateral'>): OrderRatio {
  return { debtShares, collateral }
}

/** The ratio below which an order to be cleared is normal again, and a warned one can be warned again. */
function recoverRatioOf(
  order: WatchedLoan,
  limits: OrderTerms['limits'],
  { status, isOverdue }: { readonly status: LoanRow['status']; readonly isOverdue: boolean },
): bigint | null {
  if (isOverdue) return null
  if (status === LOAN_STATUS.toBeCleared) return ratioKey(ratioOf(order), limits.liquidationBps)
  return order.warned > 0 ? ratioKey(ratioOf(order), limits.initialBps) : null
}

/**
 * Judges an open order: normal, or to be cleared because its repayment time has passed or its ratio has reached the limit of
 * liquidation at both prices. Without prices, the ratio keeps the order in its status.
 */
function statusOf(
  row: OpenLoan,
  prices: UsablePrices | undefined,
  { terms, pool, now }: OrderMoment,
  due: Date,
): OpenLoan['status'] {
  if (now >= due) return LOAN_STATUS.toBeCleared
  if (!prices) return row.status
  const isOver = isAtLimit(ratioOf(row), terms.limits.liquidationBps, prices.better, pool.indexE27)
  return isOver ? LOAN_STATUS.toBeCleared : LOAN_STATUS.normal
}

/**
 * Returns how many warnings count as given: those that the ratio has reached at the worse price, and earlier ones. A change by the
 * user, or a ratio below the initial limit, takes earlier ones back, so that the order can be warned again.
 */
function warningsOf(row: OpenLoan, { prices, isByUser }: LoanChange, { terms, pool }: OrderMoment): number {
  if (!prices) return row.warned
  const { warningBps, lastWarningBps, initialBps } = terms.limits
  const isReached = (limitBps: bigint) => isAtLimit(ratioOf(row), limitBps, prices.worse, pool.indexE27)
  const reached = [warningBps, lastWarningBps].filter(isReached).length
  return isByUser || !isReached(initialBps) ? reached : Math.max(reached, row.warned)
}

/** Returns how many reminders are due. A loan whose term is shorter than a reminder's time gets that one at its opening. */
export function remindersOf(
  { repayment_time: due }: Pick<LoanRow, 'repayment_time'>,
  { remindSeconds }: Pick<OrderTerms, 'remindSeconds'>,
  now: Date,
): number {
  const left = secondsOf(due) - secondsOf(now)
  return remindSeconds.filter((before) => left <= before).length
}

/** The rate that the user has to be notified of, and the one after it. */
function rateNewsOf(row: OpenLoan, { pool }: OrderMoment): Pick<LoanRow, 'rate_reached_e18' | 'notify_rate_e18'> {
  const { rate_reached_e18: reached, notify_rate_e18: notify } = row
  const rateE18 = currentRate(pool.rate)
  if (notify === null || rateE18 < notify) return { rate_reached_e18: reached, notify_rate_e18: notify }
  return { rate_reached_e18: rateE18, notify_rate_e18: nextRateToNotify(notify, rateE18) }
}

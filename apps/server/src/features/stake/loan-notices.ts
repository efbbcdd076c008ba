import { formatAmount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import { DAY_MS, MINUTE_MS } from '@clearwell/rules/spans'
import { LOAN_STATUS, type LoanRow } from '../../domain/lending/lending.tables.ts'
import type { LendingRules } from '../../domain/lending/lending-parameters.ts'
import type { NoticeDraft } from '../../platform/notices/notice.store.ts'

const LINK = '/stake/lend/orders'

/** Facts that the notices of an order state. */
export interface NoticeFacts {
  /** Those of the order's opening: the limits that the notices name. */
  readonly terms: Pick<LendingRules, 'limits' | 'remindSeconds'>
  /** The ratio now, at 10^18; `undefined` while money has no price. */
  readonly ltvE18: bigint | undefined
}

/** The notices about what the leader has found of an order. Each has a key, so sending it again changes nothing. */
export function noticesOf(row: LoanRow, facts: NoticeFacts): NoticeDraft[] {
  const asset = row.borrow_asset
  const of = { userId: row.user_id, link: `${LINK}?status=${row.status}` } as const
  const units = row.status === LOAN_STATUS.liquidated ? row.borrowed : row.principal
  const order = { order_id: row.id, asset, borrowed: formatAmount({ asset, units }) }
  const params = { ...order, at: row.status_at.toISOString() }
  if (row.status === LOAN_STATUS.liquidated)
    return [{ ...of, link: `/stake/receipt?order=${row.id}`, kind: 'loan_liquidated', key: row.id, params }]
  if (row.status === LOAN_STATUS.completed) return []
  const news = [...partNotices(row, of, order), ...rateNotices(row, of, order)]
  if (row.status === LOAN_STATUS.toBeCleared)
    return [...news, { ...of, kind: 'loan_to_be_cleared', key: `${row.id}:${row.status_at.getTime()}`, params }]
  return [...news, ...warnings(row, facts, of, order), ...reminders(row, facts, of, order)]
}

type Order = { readonly order_id: string; readonly asset: AssetId; readonly borrowed: string }
type Receiver = { readonly userId: string; readonly link: string }

function warnings(row: LoanRow, { terms, ltvE18 }: NoticeFacts, of: Receiver, order: Order): NoticeDraft[] {
  const limit = [terms.limits.warningBps, terms.limits.lastWarningBps][row.warned - 1]
  if (limit === undefined) return []
  const ltv = ltvE18 === undefined ? {} : { ltv: formatUnits(ltvE18, 18) }
  const params = { ...order, ...ltv, percent: Number(formatUnits(limit, 2)) }
  // An order that was safe, or that its user changed, can be warned again.
  return [{ ...of, kind: 'loan_warning', key: `${row.id}:${limit}:${row.warning_round}:${row.debt_shares}`, params }]
}

function reminders(row: LoanRow, { terms }: NoticeFacts, of: Receiver, order: Order): NoticeDraft[] {
  const before = terms.remindSeconds[row.reminded - 1]
  if (before === undefined) return []
  const hours = Number(before / 3_600n)
  const params = { ...order, hours, due_at: row.repayment_time.toISOString() }
  // A repayment time that has moved is reminded of again.
  const moved = isMoved(row) ? `:${row.repayment_time.getTime()}` : ''
  return [{ ...of, kind: 'loan_reminder', key: `${row.id}:${hours}${moved}`, params }]
}

function isMoved({ created_at, term_days, repayment_time }: LoanRow): boolean {
  return repayment_time.getTime() >= created_at.getTime() + term_days * DAY_MS + MINUTE_MS
}

function partNotices(row: LoanRow, of: Receiver, order: Order): NoticeDraft[] {
  if (!row.is_part_cleared) return []
  const link = `/stake/receipt?order=${row.id}`
  return [{ ...of, link, kind: 'loan_part_liquidated', key: `${row.id}:part:${row.debt_shares}`, params: order }]
}

function rateNotices(row: LoanRow, of: Receiver, order: Order): NoticeDraft[] {
  if (row.rate_reached_e18 === null) return []
  const [rate, opened] = [formatUnits(row.rate_reached_e18, 18), formatUnits(row.opened_rate_e18, 18)]
  const params = { ...order, rate, opened_rate: opened }
  // Each doubling once: the next one is at another rate.
  return [{ ...of, kind: 'loan_rate_doubled', key: `${row.id}:rate:${row.notify_rate_e18}`, params }]
}

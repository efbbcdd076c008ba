import { formatAmount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import { LOAN_STATUS, type LoanRow } from '../../platform/lending/lending.tables.ts'
import type { NoticeDraft } from '../../platform/notices/notice.store.ts'

const LINK = '/stake/lend/orders'
/** By the number of warnings that the ratio has reached. */
const WARNING_PERCENT = [75, 80] as const
/** By the number of reminders that are due. */
const REMINDER_HOURS = [72, 24, 1] as const

/** The notices about what the leader has found of an order. Each has a key, so sending it again changes nothing. */
export function noticesOf(row: LoanRow): NoticeDraft[] {
  const asset = row.borrow_asset as AssetId
  const of = { userId: row.user_id, link: `${LINK}?status=${row.status}` } as const
  const order = { order_id: row.id, asset, borrowed: formatAmount({ asset, units: row.principal }) }
  if (row.status === LOAN_STATUS.liquidated)
    return [{ ...of, link: `/stake/receipt?order=${row.id}`, kind: 'loan_liquidated', key: row.id, params: order }]
  if (row.status === LOAN_STATUS.completed) return []
  if (row.status === LOAN_STATUS.toBeCleared)
    return [{ ...of, kind: 'loan_to_be_cleared', key: `${row.id}:${row.status_at.getTime()}`, params: order }]
  const percent = WARNING_PERCENT[row.warned - 1]
  const hours = REMINDER_HOURS[row.reminded - 1]
  // A user who changes the order can be warned again, and the changed debt then has another key.
  const round = row.accrued_at.getTime()
  return [
    ...(percent === undefined
      ? []
      : [
          { ...of, kind: 'loan_warning' as const, key: `${row.id}:${percent}:${round}`, params: { ...order, percent } },
        ]),
    ...(hours === undefined
      ? []
      : [{ ...of, kind: 'loan_reminder' as const, key: `${row.id}:${hours}`, params: { ...order, hours } }]),
  ]
}

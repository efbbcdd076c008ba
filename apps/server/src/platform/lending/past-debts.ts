import type { Queryable } from '@clearwell/ledger/database'
import { type ReferredPosting, readPostingsOfKind } from '@clearwell/ledger/read-flows'
import type { AssetId } from '@clearwell/money/asset'
import { type Debt, repay, totalDebt } from '@clearwell/rules/loan'
import { userAccount } from '../ledger/accounts.ts'
import { LOAN_STATUS, type LoanStatus } from './lending.tables.ts'
import { secondsOf } from './lending-books.ts'

/** Most orders of a user, and most repayments of an asset, that one request reads. */
const MOST = 5_000

/** A debt at one of several times: `index` is the index of that time in the caller's list. */
export interface PastDebt {
  readonly index: number
  readonly asset: AssetId
  /** Principal and interest, in base units. */
  readonly units: bigint
}

interface OrderRow {
  readonly id: string
  readonly status: LoanStatus
  readonly asset: AssetId
  readonly borrowed: bigint
  readonly rate_e18: bigint
  readonly created_at: Date
  readonly status_at: Date
}

/**
 * Computes a user's debts at past times: each order from its opening, with the repayments that the ledger has recorded.
 *
 * @param times in ascending order.
 * @returns `undefined` for a user with more orders than one request may read.
 */
export async function readPastOwed(
  tx: Queryable,
  userId: string,
  times: readonly Date[],
): Promise<PastDebt[] | undefined> {
  const last = times.at(-1)
  if (!last) return []
  const orders = await tx.query<OrderRow>(
    `select id, status, borrow_asset as asset, borrowed, rate_e18, created_at, status_at from loans
     where user_id = $1 and created_at <= $2 order by created_at desc, id desc limit ${MOST + 1}`,
    [userId, last],
  )
  if (orders.length === 0) return []
  const repayments = await readPostingsOfKind(tx, {
    account: userAccount(userId, 'available'),
    kind: 'loan_repayment',
    assets: [...new Set(orders.map(({ asset }) => asset))],
    limit: MOST + 1,
  })
  if (orders.length > MOST || repayments.length > MOST) return undefined
  const byOrder = Map.groupBy(repayments, ({ reference }) => reference)
  return orders.flatMap((order) => debtsOf(order, byOrder.get(order.id) ?? [], times))
}

/** @param repayments the oldest first. */
function debtsOf(order: OrderRow, repayments: readonly ReferredPosting[], times: readonly Date[]): PastDebt[] {
  const { asset, borrowed: principal, rate_e18: rateE18, created_at: opened } = order
  const isOver = order.status === LOAN_STATUS.completed || order.status === LOAN_STATUS.liquidated
  let debt: Debt = { principal, rateE18, accrued: 0n, accruedAt: secondsOf(opened) }
  let done = 0
  return times.flatMap((time, index) => {
    for (let next = repayments[done]; next && next.at <= time; next = repayments[++done])
      debt = repay(debt, -next.units, secondsOf(next.at)).after
    if (time < opened || (isOver && order.status_at <= time)) return []
    return [{ index, asset, units: totalDebt(debt, secondsOf(time)) }]
  })
}

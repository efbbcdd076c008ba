import type { NoticeParams } from '@clearwell/api/notice-kinds'
import { formatAmount } from '@clearwell/money/amount'
import type { SwapPool } from '../../domain/pools/swaps.ts'
import type { NoticeDraft } from '../../platform/notices/notice.store.ts'
import type { PlanRow } from './plan.tables.ts'
import { assetsOf } from './plan-item.ts'

const LINK = '/swap/plans'

type Reason = NonNullable<PlanRow['reason']>
type SkipReason = NoticeParams<'plan_skipped'>['reason']

function about(row: PlanRow, { symbol }: SwapPool) {
  return { of: { userId: row.user_id, link: LINK }, facts: { plan_id: row.id, kind: row.kind, symbol } }
}

function amountOf(row: PlanRow, pool: SwapPool) {
  const [sold] = assetsOf(pool, row.inverse)
  return { sold, amount_in: formatAmount({ asset: sold, units: row.amount }) }
}

/** A run was made. `day`: the day that it counts for. */
export function madeNotice(
  row: PlanRow,
  pool: SwapPool,
  run: { readonly day: string; readonly amountOut: string; readonly swapId: string },
): NoticeDraft {
  const { of, facts } = about(row, pool)
  const [, bought] = assetsOf(pool, row.inverse)
  const params = {
    ...facts,
    ...amountOf(row, pool),
    bought,
    amount_out: run.amountOut,
    transaction_id: run.swapId,
  }
  return { ...of, kind: 'plan_made', key: `${row.id}:${run.day}`, params }
}

/** A run was skipped, and the schedule goes on. */
export function skippedNotice(
  row: PlanRow,
  pool: SwapPool,
  run: { readonly day: string; readonly reason: SkipReason; readonly skipped: number },
): NoticeDraft {
  const { of, facts } = about(row, pool)
  const params = { ...facts, ...amountOf(row, pool), reason: run.reason, skipped: run.skipped }
  return { ...of, kind: 'plan_skipped', key: `${row.id}:${run.day}`, params }
}

/** A run was skipped, and the schedule pauses. */
export function pausedNotice(
  row: PlanRow,
  pool: SwapPool,
  run: { readonly day: string; readonly reason: SkipReason },
): NoticeDraft {
  const { of, facts } = about(row, pool)
  const params = { ...facts, reason: 'three_skipped' as const, last_reason: run.reason }
  return { ...of, kind: 'plan_paused', key: `${row.id}:${run.day}`, params }
}

export function endedNotice(row: PlanRow, pool: SwapPool, reason: Reason): NoticeDraft {
  const { of, facts } = about(row, pool)
  return { ...of, kind: 'plan_ended', key: row.id, params: { ...facts, ...amountOf(row, pool), reason } }
}

import { amountOf } from '@clearwell/money/amount'
import type { HongKongDay } from '@clearwell/rules/hong-kong-day'
import type { Sale, SwapPool } from '../../domain/pools/swaps.ts'
import { type PlanRow, planRunId } from './plan.tables.ts'
import { assetsOf } from './plan-item.ts'
import type { SkipReason } from './run-refusals.ts'

function runOf(row: PlanRow, day: HongKongDay, at: Date) {
  return {
    id: planRunId(row.id, day),
    plan_id: row.id,
    user_id: row.user_id,
    day,
    amount_in: row.amount,
    created_at: at,
  }
}

/** The row of a run that was made. */
export function madeRun(
  row: PlanRow,
  pool: SwapPool,
  { day, sold, at }: { readonly day: HongKongDay; readonly sold: Sale; readonly at: Date },
) {
  const [, bought] = assetsOf(pool, row.inverse)
  const amountOut = amountOf(sold.amount_out, bought).units
  return {
    ...runOf(row, day, at),
    status: 'made' as const,
    reason: null,
    swap_id: sold.transaction_id,
    amount_out: amountOut,
  }
}

/** The row of a run that was skipped. */
export function skippedRun(
  row: PlanRow,
  { day, reason, at }: { readonly day: HongKongDay; readonly reason: SkipReason; readonly at: Date },
) {
  return { ...runOf(row, day, at), status: 'skipped' as const, reason, swap_id: null, amount_out: 0n }
}

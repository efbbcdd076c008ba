import type { ResponseOf } from '@clearwell/api/routes'
import { formatAmount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import type { SwapPool } from '../../domain/pools/swaps.ts'
import type { PlanRow, PlanRunRow } from './plan.tables.ts'

type PlanItem = ResponseOf<'createPlan'>
type RunItem = ResponseOf<'planRuns'>['items'][number]

/** The assets of a plan's swap. */
export function assetsOf({ base, quote }: SwapPool, inverse: boolean): readonly [sold: AssetId, bought: AssetId] {
  return inverse ? [quote, base] : [base, quote]
}

/** A plan as its owner sees it: with the hour of the next run, never with the drawn moment. */
export function planItem(row: PlanRow, pool: SwapPool): PlanItem {
  const [sold] = assetsOf(pool, row.inverse)
  return {
    plan_id: row.id,
    kind: row.kind,
    pool_id: row.pool_id,
    symbol: pool.symbol,
    inverse: row.inverse ? 1 : 0,
    amount: formatAmount({ asset: sold, units: row.amount }),
    price: row.price_e18 === null ? null : formatUnits(row.price_e18, 18),
    every: row.every,
    hour: row.hour,
    slippage: row.slippage_bps === null ? null : formatUnits(BigInt(row.slippage_bps), 4),
    status: row.status,
    reason: row.reason,
    next_at: row.next_hour_at?.toISOString() ?? null,
    last_run: row.last_run_at?.toISOString() ?? null,
    skipped: row.skipped,
    ends_at: row.ends_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}

export function runItem(run: PlanRunRow, pool: SwapPool, inverse: boolean): RunItem {
  const [sold, bought] = assetsOf(pool, inverse)
  return {
    run_at: run.created_at.toISOString(),
    date: run.day,
    status: run.status,
    reason: run.reason,
    transaction_id: run.swap_id,
    amount_in: formatAmount({ asset: sold, units: run.amount_in }),
    amount_out: formatAmount({ asset: bought, units: run.amount_out }),
  }
}

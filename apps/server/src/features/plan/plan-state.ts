import { type RowWrite, type State, write } from '@clearwell/ledger/command'
import {
  leastLimitOutput,
  limitTriggerE18,
  momentWithinHour,
  nextScheduledHour,
  poolDepth,
} from '@clearwell/rules/plans'
import type { PoolReserves, SwapFees } from '@clearwell/rules/swap'
import { refusal } from '../../platform/ledger/refuse.ts'
import { type PlanRow, planOwners, plans } from './plan.tables.ts'

/** The part of a row that says what a limit waits for. */
export type Armed = Pick<PlanRow, 'trigger_e18' | 'armed_depth' | 'armed_fee_bps'>
/** The part of a row that says when a schedule runs next. */
export type NextRun = Pick<PlanRow, 'next_day' | 'next_hour_at' | 'next_run_at'>

export const UNARMED: Armed = { trigger_e18: null, armed_depth: null, armed_fee_bps: null }
export const NO_RUN: NextRun = { next_day: null, next_hour_at: null, next_run_at: null }

/** Returns a user's own plan. @throws Refusal `not_found`. */
export function ownPlan(state: State, userId: string, planId: string): PlanRow {
  const row = state.row(plans, planId)
  if (row?.user_id !== userId) throw refusal('not_found')
  return row
}

export function isOpen({ status }: Pick<PlanRow, 'status'>): boolean {
  return status === 'active' || status === 'paused'
}

/** Returns the writes that end an open plan, and its row. */
export function close(
  state: State,
  row: PlanRow,
  end: Pick<PlanRow, 'status' | 'reason'> & { readonly at: Date } & Partial<Pick<PlanRow, 'last_run_at' | 'skipped'>>,
): { readonly row: PlanRow; readonly rows: RowWrite[] } {
  const { at, ...changes } = end
  const closed = { ...row, ...UNARMED, ...NO_RUN, ...changes, ended_at: at }
  const open = (state.row(planOwners, row.user_id)?.open ?? 1) - 1
  return { row: closed, rows: [write(plans, closed), write(planOwners, { id: row.user_id, open })] }
}

/**
 * Computes what a limit waits for at these reserves.
 *
 * @throws Refusal `amount_out_of_range` if the pool can never reach it.
 */
export function arm(
  { amount, price_e18, inverse }: Pick<PlanRow, 'amount' | 'price_e18' | 'inverse'>,
  reserves: PoolReserves,
  fees: SwapFees,
): Armed {
  const leastOut = leastLimitOutput({ amountIn: amount, priceE18: price_e18 ?? 0n, inverse })
  const trigger = limitTriggerE18({ amountIn: amount, leastOut, inverse, reserves, fees })
  if (trigger === undefined) throw refusal('amount_out_of_range', { reason: 'more than the pool can give' })
  return { trigger_e18: trigger, armed_depth: poolDepth(reserves), armed_fee_bps: Number(fees.totalBps) }
}

/**
 * Draws the next run of a schedule. A schedule whose end comes before has none.
 *
 * @param from.draw unguessable: see {@link momentWithinHour}.
 */
export function nextRun(
  { anchor_day, every, hour, ends_at }: Pick<PlanRow, 'anchor_day' | 'every' | 'hour' | 'ends_at'>,
  { notBefore, draw }: { readonly notBefore: Date; readonly draw: string },
): NextRun {
  if (anchor_day === null || every === null || hour === null) throw new TypeError('nextRun: not a schedule')
  const next = nextScheduledHour({ anchor: anchor_day, every, hour, notBefore })
  if (ends_at && next.opensAt >= ends_at) return NO_RUN
  return { next_day: next.date, next_hour_at: next.opensAt, next_run_at: momentWithinHour(next.opensAt, draw) }
}

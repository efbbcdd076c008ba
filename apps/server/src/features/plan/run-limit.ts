import { type Command, type Context, type Plan, type State, write } from '@clearwell/ledger/command'
import { Draft } from '@clearwell/ledger/draft'
import { mulDiv } from '@clearwell/money/mul-div'
import { BPS, E18 } from '@clearwell/money/scale'
import { hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import { isTriggerReached, leastLimitOutput } from '@clearwell/rules/plans'
import type { PoolReserves, SwapFees } from '@clearwell/rules/swap'
import type { SwapPool, Swaps } from '../../domain/pools/swaps.ts'
import { frozenKey, isFrozen } from '../../platform/ledger/frozen-accounts.ts'
import { isLeaving, leavingKey } from '../../platform/ledger/leaving-accounts.ts'
import { decideNotices } from '../../platform/notices/unsent-notices.ts'
import { type PlanRow, planOwners, planRuns, plans } from './plan.tables.ts'
import { endedNotice, madeNotice } from './plan-notices.ts'
import { madeRun } from './plan-runs.ts'
import { arm, close } from './plan-state.ts'
import { type SkipReason, skipReasonOf } from './run-refusals.ts'

/** A limit that the leader found due. */
export interface DueLimit {
  readonly id: string
  readonly userId: string
  readonly parentId: string | null
  readonly poolId: string
  readonly inverse: boolean
  readonly amount: bigint
  readonly priceE18: bigint
}

/** `waits`: the pool does not trade now. `armed`: the limit waits for another price. `gone`: it is no longer active. */
export type LimitOutcome = 'made' | 'ended' | 'armed' | 'waits' | 'gone'

/** A limit that would move the pool out of its band waits until the price is this much better. */
const DEVIATION_STEP_BPS = 50n

/**
 * Makes a limit whose price has come: whole, at its price or better, by the ordinary swap, or not at all. It ends when its
 * owner lacks the balance. Its row guards it: made once, it is no longer active.
 */
export function runLimit({ swaps, pool }: { swaps: Swaps; pool: SwapPool }, due: DueLimit): Command<LimitOutcome> {
  const { id, userId, inverse, amount, priceE18 } = due
  const minAmountOut = leastLimitOutput({ amountIn: amount, priceE18, inverse })
  const sale = swaps.sell({ ...due, amountIn: amount, minAmountOut })
  return {
    kind: 'run_limit',
    owner: 'plan',
    payload: { planId: id },
    preload: [
      { table: plans, id },
      { table: planOwners, id: userId },
      frozenKey(userId),
      leavingKey(userId),
      ...sale.preload,
    ],
    decide(state, context) {
      const row = state.row(plans, id)
      if (row?.status !== 'active') return { response: 'gone' }
      if (row.ends_at && row.ends_at <= context.now) return end(state, context, row, { pool, reason: 'date' })
      if (isFrozen(state, userId, context.now)) return end(state, context, row, { pool, reason: 'freeze' })
      if (isLeaving(state, userId)) return end(state, context, row, { pool, reason: 'exit' })
      try {
        return make(state, context, row, { pool, sale })
      } catch (error) {
        const reason = skipReasonOf(error)
        if (reason === 'suspended') return { response: 'waits' }
        if (reason === 'balance' || reason === 'not_activated') return end(state, context, row, { pool, reason })
        const at = { reserves: swaps.reserves(state, pool), fees: swaps.fees.in(state, context.now) }
        return { rows: [write(plans, { ...row, ...armAgain(row, at, reason) })], response: 'armed' }
      }
    },
  }
}

function make(
  state: State,
  context: Context,
  row: PlanRow,
  { pool, sale }: { readonly pool: SwapPool; readonly sale: ReturnType<Swaps['sell']> },
): Plan<LimitOutcome> {
  const { response: sold, ...swap } = sale.decide(state, context)
  const draft = new Draft(state)
  draft.add(swap)
  const day = hongKongDayOf(context.now)
  const closed = close(state, row, { status: 'done', reason: null, at: context.now, last_run_at: context.now })
  const notice = madeNotice(row, pool, { day, amountOut: sold.amount_out, swapId: sold.transaction_id })
  const run = madeRun(row, pool, { day, sold, at: context.now })
  draft.add({ rows: [...closed.rows, write(planRuns, run), ...decideNotices([notice], context)] })
  return draft.plan('made')
}

function end(
  state: State,
  context: Context,
  row: PlanRow,
  {
    pool,
    reason,
  }: { readonly pool: SwapPool; readonly reason: 'balance' | 'not_activated' | 'date' | 'freeze' | 'exit' },
): Plan<LimitOutcome> {
  const status = reason === 'date' ? 'expired' : 'ended'
  const closed = close(state, row, { status, reason, at: context.now })
  return {
    rows: [...closed.rows, ...decideNotices([endedNotice(row, pool, reason)], context)],
    response: 'ended',
  }
}

/** Arms a limit whose trigger was reached, though it could not be made: it waits for a better price than the one now. */
function armAgain(
  row: PlanRow,
  { reserves, fees }: { readonly reserves: PoolReserves; readonly fees: SwapFees },
  reason: SkipReason,
) {
  const armed = arm(row, reserves, fees)
  const { inverse } = row
  const trigger = armed.trigger_e18 ?? 0n
  const stepBps = reason === 'price_deviation' ? DEVIATION_STEP_BPS : 0n
  if (stepBps === 0n && !isTriggerReached({ triggerE18: trigger, inverse }, reserves)) return armed
  const beyond = inverse
    ? mulDiv(reserves.quote * E18, BPS - stepBps, reserves.base * BPS, 'up') - 1n
    : mulDiv(reserves.quote * E18, BPS + stepBps, reserves.base * BPS, 'down') + 1n
  return { ...armed, trigger_e18: beyond > 0n ? beyond : 1n }
}

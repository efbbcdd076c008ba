import type { ResponseOf } from '@clearwell/api/routes'
import { type Command, type StateKey, write } from '@clearwell/ledger/command'
import type { SwapPool, Swaps } from '../../domain/pools/swaps.ts'
import { poolAccount } from '../../platform/ledger/accounts.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import { type PlanRow, planOwners, plans } from './plan.tables.ts'
import { planItem } from './plan-item.ts'
import { arm, close, isOpen, NO_RUN, nextRun, ownPlan, UNARMED } from './plan-state.ts'

export interface ChangePlanInput {
  readonly userId: string
  readonly planId: string
  readonly pool: SwapPool
  readonly key: string | undefined
}

type PlanCommand = Command<ResponseOf<'pausePlan'>>

/**
 * Pauses a plan: a limit waits for no price, a schedule has no next run.
 *
 * @throws Refusal `not_found` for a plan of another user, `conflict` unless it is active.
 */
export function pausePlan(input: ChangePlanInput): PlanCommand {
  return {
    ...commandOf('pause_plan', input),
    decide(state) {
      const row = ownPlan(state, input.userId, input.planId)
      if (row.status !== 'active') throw changed(row)
      const paused: PlanRow = { ...row, ...UNARMED, ...NO_RUN, status: 'paused', reason: 'user' }
      return { rows: [write(plans, paused)], response: planItem(paused, input.pool) }
    },
  }
}

/**
 * Resumes a paused plan: its next run is the first one from now on, and skipped runs no longer count.
 *
 * @throws Refusal `not_found`, `conflict` unless it is paused and its end date is ahead, `amount_out_of_range` if the pool can
 * no longer reach a limit.
 */
export function resumePlan(
  { swaps }: { readonly swaps: Pick<Swaps, 'fees' | 'reserves'> },
  input: ChangePlanInput,
): PlanCommand {
  const { userId, planId, pool } = input
  const account = poolAccount(pool.id)
  return {
    ...commandOf('resume_plan', input, [
      { account, asset: pool.base },
      { account, asset: pool.quote },
    ]),
    decide(state, { now, id }) {
      const row = ownPlan(state, userId, planId)
      if (row.status !== 'paused') throw changed(row)
      if (row.ends_at && row.ends_at <= now) throw refusal('conflict', { reason: 'plan_date_passed' })
      const next =
        row.kind === 'limit'
          ? arm(row, swaps.reserves(state, pool), swaps.fees.in(state, now))
          : nextRun(row, { notBefore: now, draw: id('moment') })
      if ('next_run_at' in next && !next.next_run_at) throw refusal('conflict', { reason: 'plan_date_passed' })
      const resumed: PlanRow = { ...row, ...next, status: 'active', reason: null, skipped: 0 }
      return { rows: [write(plans, resumed)], response: planItem(resumed, pool) }
    },
  }
}

/**
 * Cancels an open plan for good.
 *
 * @throws Refusal `not_found`, `conflict` if it has ended.
 */
export function cancelPlan(input: ChangePlanInput): PlanCommand {
  return {
    ...commandOf('cancel_plan', input, [{ table: planOwners, id: input.userId }]),
    worksStopped: true,
    decide(state, { now }) {
      const row = ownPlan(state, input.userId, input.planId)
      if (!isOpen(row)) throw changed(row)
      const closed = close(state, row, { status: 'cancelled', reason: 'user', at: now })
      return { rows: closed.rows, response: planItem(closed.row, input.pool) }
    },
  }
}

/** The refusal of a change that the plan has already made, or can no longer make. */
function changed({ status }: PlanRow) {
  const reason = status === 'active' ? 'plan_active' : status === 'paused' ? 'plan_paused' : 'plan_ended'
  return refusal('conflict', { reason })
}

function commandOf(kind: string, { userId, planId, key }: ChangePlanInput, preload: readonly StateKey[] = []) {
  return {
    ...({ kind, owner: userId, key, payload: { planId }, worksUnproven: true } as const),
    preload: [{ table: plans, id: planId }, ...preload],
  } as const
}

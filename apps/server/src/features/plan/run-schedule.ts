import { type Command, type Context, type Plan, type State, write } from '@clearwell/ledger/command'
import { Draft } from '@clearwell/ledger/draft'
import type { HongKongDay } from '@clearwell/rules/hong-kong-day'
import { leastScheduleOutput } from '@clearwell/rules/plans'
import { HOUR_MS } from '@clearwell/rules/spans'
import type { Sale, SwapPool, Swaps } from '../../domain/pools/swaps.ts'
import { frozenKey, isFrozen } from '../../platform/ledger/frozen-accounts.ts'
import { isLeaving, leavingKey } from '../../platform/ledger/leaving-accounts.ts'
import { decideNotices } from '../../platform/notices/unsent-notices.ts'
import type { PlanRules } from './plan.config.ts'
import { type PlanRow, planOwners, planRunId, planRuns, plans } from './plan.tables.ts'
import { endedNotice, madeNotice, pausedNotice, skippedNotice } from './plan-notices.ts'
import { madeRun, skippedRun } from './plan-runs.ts'
import { close, NO_RUN, nextRun } from './plan-state.ts'
import { type SkipReason, skipReasonOf } from './run-refusals.ts'

/** A run that the leader found due. */
export interface DueRun {
  readonly id: string
  readonly userId: string
  readonly parentId: string | null
  readonly poolId: string
  readonly inverse: boolean
  readonly amount: bigint
  readonly slippageBps: number
  /** The Hong Kong day that it counts for. */
  readonly day: HongKongDay
}

interface RunDependencies {
  readonly swaps: Swaps
  readonly pool: SwapPool
  readonly rules: Pick<PlanRules, 'maxSkipped'>
  /** The spot price, or the pool's mean price of the last hour; `undefined` while it is unknown. */
  readonly referenceE18: bigint | undefined
}

/** `gone`: the run is not due any more. */
export type RunOutcome = 'made' | 'skipped' | 'paused' | 'gone'

/**
 * Makes one run of a schedule by the ordinary swap, or skips it and says why, and draws the next run: the first one from now
 * on, so an outage costs all runs but one. The day of the run in the row guards it: it counts once.
 */
export function runSchedule(deps: RunDependencies, due: DueRun): Command<RunOutcome> {
  const { swaps, pool, referenceE18 } = deps
  const { id, userId, inverse, amount, day } = due
  const least = (priceE18: bigint, feeBps: bigint) =>
    leastScheduleOutput({ amountIn: amount, priceE18, inverse, feeBps, slippageBps: BigInt(due.slippageBps) })
  const sell = (minAmountOut: bigint) => swaps.sell({ ...due, amountIn: amount, minAmountOut })
  return {
    kind: 'run_schedule',
    owner: 'plan',
    payload: { planId: id, day },
    preload: [
      { table: plans, id },
      { table: planRuns, id: planRunId(id, day) },
      { table: planOwners, id: userId },
      frozenKey(userId),
      leavingKey(userId),
      ...(referenceE18 === undefined ? [] : sell(0n).preload),
    ],
    decide(state, context) {
      const row = state.row(plans, id)
      const isDue =
        row?.status === 'active' && row.next_day === day && row.next_run_at && row.next_run_at <= context.now
      if (!row || !isDue) return { response: 'gone' }
      if (isFrozen(state, userId, context.now)) return endStopped(state, context, row, { pool, reason: 'freeze' })
      if (isLeaving(state, userId)) return endStopped(state, context, row, { pool, reason: 'exit' })
      // The owner paused and resumed it within the hour of a run that was made: the day counts once.
      if (state.row(planRuns, planRunId(id, day))) return moveOn(state, context, row, deps, { ...row })
      if (referenceE18 === undefined) return skip(state, context, row, { ...deps, due }, 'price_unknown')
      let sold: Plan<Sale>
      try {
        const { totalBps } = swaps.fees.in(state, context.now)
        sold = sell(least(referenceE18, totalBps)).decide(state, context)
      } catch (error) {
        return skip(state, context, row, { ...deps, due }, skipReasonOf(error))
      }
      return made(state, context, row, { ...deps, due }, sold)
    },
  }
}

function made(
  state: State,
  context: Context,
  row: PlanRow,
  deps: RunDependencies & { readonly due: DueRun },
  { response: sold, ...swap }: Plan<Sale>,
): Plan<RunOutcome> {
  const draft = new Draft(state)
  draft.add(swap)
  const { day } = deps.due
  const notice = madeNotice(row, deps.pool, { day, amountOut: sold.amount_out, swapId: sold.transaction_id })
  const done = { ...row, skipped: 0, last_run_at: context.now }
  draft.add({ rows: [write(planRuns, madeRun(row, deps.pool, { day, sold, at: context.now }))] })
  draft.add(moveOn(draft, context, row, deps, done, [notice]))
  return draft.plan('made')
}

function skip(
  state: State,
  context: Context,
  row: PlanRow,
  deps: RunDependencies & { readonly due: DueRun },
  reason: SkipReason,
): Plan<RunOutcome> {
  const { pool, rules } = deps
  const { day } = deps.due
  const skipped = row.skipped + 1
  const run = write(planRuns, skippedRun(row, { day, reason, at: context.now }))
  if (skipped >= rules.maxSkipped) {
    const paused: PlanRow = {
      ...row,
      ...NO_RUN,
      status: 'paused',
      reason: 'three_skipped',
      skipped,
      last_run_at: context.now,
    }
    const notices = decideNotices([pausedNotice(row, pool, { day, reason })], context)
    return { rows: [run, write(plans, paused), ...notices], response: 'paused' }
  }
  const draft = new Draft(state)
  draft.add({ rows: [run] })
  const notice = skippedNotice(row, pool, { day, reason, skipped })
  draft.add(moveOn(draft, context, row, deps, { ...row, skipped, last_run_at: context.now }, [notice]))
  return draft.plan('skipped')
}

/** Ends the plan of an account that is frozen or leaves, and that comes due before the leader has ended all of them. */
function endStopped(
  state: State,
  context: Context,
  row: PlanRow,
  { pool, reason }: { readonly pool: SwapPool; readonly reason: 'freeze' | 'exit' },
): Plan<RunOutcome> {
  const closed = close(state, row, { status: 'ended', reason, at: context.now })
  return { rows: [...closed.rows, ...decideNotices([endedNotice(row, pool, reason)], context)], response: 'gone' }
}

/** Writes the row with its next run, or ends a schedule that has none. */
function moveOn(
  state: State,
  context: Context,
  row: PlanRow,
  { pool }: RunDependencies,
  changed: PlanRow,
  notices: readonly ReturnType<typeof endedNotice>[] = [],
): Plan<RunOutcome> {
  // Later than the whole hour of this run, even when it was drawn for its first moment.
  const hourEndsMs = (row.next_hour_at?.getTime() ?? 0) + HOUR_MS
  const notBefore = new Date(Math.max(context.now.getTime(), hourEndsMs))
  const next = nextRun(row, { notBefore, draw: context.id('moment') })
  if (next.next_run_at)
    return { rows: [write(plans, { ...changed, ...next }), ...decideNotices(notices, context)], response: 'gone' }
  const closed = close(state, changed, { status: 'done', reason: 'date', at: context.now })
  return {
    rows: [...closed.rows, ...decideNotices([...notices, endedNotice(row, pool, 'date')], context)],
    response: 'gone',
  }
}

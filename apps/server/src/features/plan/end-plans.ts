import { type Command, write } from '@clearwell/ledger/command'
import { Draft } from '@clearwell/ledger/draft'
import type { Writer } from '@clearwell/ledger/writer'
import type { SwapPool, Swaps } from '../../domain/pools/swaps.ts'
import type { NoticeDraft } from '../../platform/notices/notice.store.ts'
import { decideNotices } from '../../platform/notices/unsent-notices.ts'
import { type PlanRow, planOwners, plans } from './plan.tables.ts'
import { endedNotice } from './plan-notices.ts'
import { arm, close, isOpen } from './plan-state.ts'

/** Finds the pool of a plan. */
export type FindPool = (poolId: string) => SwapPool

/** Ends these open plans of one user, because of a freeze or an exit. Returns how many there were. */
export function endPlans(
  findPool: FindPool,
  {
    userId,
    ids,
    reason,
  }: { readonly userId: string; readonly ids: readonly string[]; readonly reason: 'freeze' | 'exit' },
): Command<number> {
  return endEach(findPool, { ids, owners: [userId], kind: 'end_plans' }, (row) =>
    row.user_id === userId && isOpen(row) ? { status: 'ended', reason } : undefined,
  )
}

/** Plans that one command ends: more than an account may have. */
const ENDED_AT_ONCE = 100

/** Ends all open plans of a user, also those that are created meanwhile. Returns how many there were. */
export async function endAllPlans(
  deps: {
    readonly store: { openIds(userId: string, limit: number): Promise<readonly string[]> }
    readonly writer: Pick<Writer, 'execute'>
    readonly findPool: FindPool
  },
  { userId, reason }: { readonly userId: string; readonly reason: 'freeze' | 'exit' },
): Promise<number> {
  for (let ended = 0; ; ) {
    const ids = await deps.store.openIds(userId, ENDED_AT_ONCE)
    if (ids.length === 0) return ended
    ended += await deps.writer.execute(endPlans(deps.findPool, { userId, ids, reason }))
  }
}

/** Ends open plans whose end date has passed: limits, and paused schedules. An active schedule ends with its last run. */
export function expirePlans(findPool: FindPool, ids: readonly string[]): Command<number> {
  return endEach(findPool, { ids, owners: [], kind: 'expire_plans' }, (row, now) => {
    const isOver = row.ends_at && row.ends_at <= now && isOpen(row) && (row.kind === 'limit' || row.status === 'paused')
    return isOver ? { status: 'expired', reason: 'date' } : undefined
  })
}

type End = Pick<PlanRow, 'status' | 'reason'> & { readonly reason: NonNullable<PlanRow['reason']> }

function endEach(
  findPool: FindPool,
  { ids, owners, kind }: { readonly ids: readonly string[]; readonly owners: readonly string[]; readonly kind: string },
  endOf: (row: PlanRow, now: Date) => End | undefined,
): Command<number> {
  return {
    kind,
    owner: 'plan',
    payload: { ids },
    preload: [...ids.map((id) => ({ table: plans, id })), ...owners.map((id) => ({ table: planOwners, id }))],
    decide(state, context) {
      const draft = new Draft(state)
      const notices: NoticeDraft[] = []
      const rows = state.rows(plans, ids).flatMap((row) => {
        const end = row && endOf(row, context.now)
        return end ? [{ row, end }] : []
      })
      draft.rows(planOwners, [...new Set(rows.map(({ row }) => row.user_id))])
      for (const { row, end } of rows) {
        draft.add(close(draft, row, { ...end, at: context.now }))
        notices.push(endedNotice(row, findPool(row.pool_id), end.reason))
      }
      draft.add({ rows: decideNotices(notices, context) })
      return draft.plan(rows.length)
    },
  }
}

/** Computes again what waiting limits wait for, after the depth of their pool or its fee has changed. */
export function armLimits(
  swaps: Pick<Swaps, 'fees' | 'reserves'>,
  pool: SwapPool,
  ids: readonly string[],
): Command<number> {
  return {
    kind: 'arm_limits',
    owner: 'plan',
    payload: { ids },
    preload: ids.map((id) => ({ table: plans, id })),
    decide(state, { now }) {
      const reserves = swaps.reserves(state, pool)
      const fees = swaps.fees.in(state, now)
      const waiting = state.rows(plans, ids).flatMap((row) => (row && row.trigger_e18 !== null ? [row] : []))
      return {
        rows: waiting.map((row) => write(plans, { ...row, ...arm(row, reserves, fees) })),
        response: waiting.length,
      }
    },
  }
}

import { type Command, type Plan, type State, write } from '@clearwell/ledger/command'
import * as z from 'zod/mini'
import { defineOperatorAction } from '../../platform/operator/operator-action.ts'
import type { SuspendedBy } from './pool-breaker.ts'
import { poolEvents, swapPools } from './swap.tables.ts'

/** A pool's suspension or resumption, requested by the operator; the rule only ends suspensions of an earlier version. */
export interface PoolChange {
  readonly poolId: string
  readonly kind: 'suspended' | 'resumed'
  readonly by: SuspendedBy
  /** One sentence for the operator. */
  readonly detail: string
}

export interface PoolChangeResponse {
  /** `unchanged`: the pool is already in that state, or the operator's decision overrides the rule's. */
  readonly outcome: 'changed' | 'unchanged' | 'unknown_pool'
}

/** Suspends or resumes a pool and records the event. Effective from the next command. */
export function changePool(change: PoolChange): Command<PoolChangeResponse> {
  return {
    kind: 'change_pool',
    owner: 'pool_rule',
    payload: {},
    preload: [{ table: swapPools, id: change.poolId }],
    decide: (state, context) => planChange(state, change, context.now, context.id('event')),
  }
}

/** The operator suspends a pool, which one person does, or resumes it, which takes two. */
export const changePoolByOperator = defineOperatorAction({
  kind: 'change_pool',
  role: 'risk',
  persons: ({ kind }) => (kind === 'suspended' ? 1 : 2),
  payload: z.strictObject({ pool: z.string(), kind: z.enum(['suspended', 'resumed']), detail: z.string() }),
  preload: ({ pool }) => [{ table: swapPools, id: pool }],
  decide(draft, context, { pool: poolId, kind, detail }) {
    const before = draft.row(swapPools, poolId)
    const change = { poolId, kind, by: 'operator', detail } as const
    const { response, ...plan } = planChange(draft, change, context.now, context.id('event'))
    if (response.outcome === 'unknown_pool')
      return { isDone: false, text: `There is no pool ${JSON.stringify(poolId)}.` }
    if (response.outcome === 'unchanged')
      return { isDone: true, text: `${poolId} was already ${kind}: nothing changed.` }
    draft.add(plan)
    const was = before?.suspended_at ? 'suspended' : 'trades'
    return {
      isDone: true,
      text: `${poolId} is ${kind}.`,
      change: { before: was, after: kind === 'suspended' ? 'suspended' : 'trades' },
    }
  },
})

function planChange(state: State, change: PoolChange, now: Date, eventId: string): Plan<PoolChangeResponse> {
  const { poolId, kind, by, detail } = change
  const pool = state.row(swapPools, poolId)
  if (!pool) return { response: { outcome: 'unknown_pool' } }
  if (!isEffective(pool, change)) return { response: { outcome: 'unchanged' } }
  const row =
    kind === 'suspended'
      ? {
          ...pool,
          suspended_at: pool.suspended_at ?? now,
          suspended_reason: by,
          suspended_by: by,
        }
      : {
          ...pool,
          suspended_at: null,
          suspended_reason: null,
          suspended_by: null,
        }
  const event = { id: eventId, pool_id: poolId, kind, changed_by: by, detail, at: now }
  return { rows: [write(swapPools, row), write(poolEvents, event)], response: { outcome: 'changed' } }
}

/** Decides again on the current row, because the decision may be outdated by now. */
function isEffective(
  pool: { suspended_at: Date | null; suspended_by: string | null },
  { kind, by }: PoolChange,
): boolean {
  const isSuspended = pool.suspended_at !== null
  switch (kind) {
    case 'suspended':
      return !isSuspended || pool.suspended_by === 'rule'
    case 'resumed':
      return isSuspended && (by === 'operator' || pool.suspended_by === 'rule')
  }
}

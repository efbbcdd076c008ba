import { type Command, type Plan, type State, write } from '@clearwell/ledger/command'
import type { RowOf } from '@clearwell/ledger/table'
import type { SuspendedBy } from './pool-breaker.ts'
import { poolEvents, poolRequests, swapPools } from './swap.tables.ts'

/** A pool's suspension or resumption, requested by the operator; the rule only ends suspensions of an earlier version. */
export interface PoolChange {
  readonly poolId: string
  readonly kind: 'suspended' | 'resumed'
  readonly by: SuspendedBy
  /** One sentence for the operator. */
  readonly detail: string
}

/** A request of the operator's command line, which waits for its completion. */
export type PoolRequest = Omit<RowOf<typeof poolRequests>, 'done_at'>

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

/** Executes the operator's request. Its id is the idempotency key, so several servers execute it only once. */
export function executePoolRequest(request: PoolRequest): Command<PoolChangeResponse> {
  const { id, pool_id, kind, detail } = request
  return {
    kind: 'change_pool',
    owner: 'operator',
    key: id,
    payload: { pool_id, kind, detail },
    preload: [{ table: swapPools, id: pool_id }],
    decide(state, context) {
      const change = { poolId: pool_id, kind, by: 'operator', detail } as const
      const plan = planChange(state, change, context.now, context.id('event'))
      return { ...plan, rows: [...(plan.rows ?? []), write(poolRequests, { ...request, done_at: context.now })] }
    },
  }
}

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

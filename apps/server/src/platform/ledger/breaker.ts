import type { State, StateKey } from '@clearwell/ledger/command'
import type { Queryable } from '@clearwell/ledger/database'
import { column, defineTable } from '@clearwell/ledger/table'
import { refusal } from './refuse.ts'

/** Switches that stop what could do harm while something is wrong. A row is missing until one was used. */
export const breakers = defineTable('breakers', {
  id: column.text,
  /** null: everything goes on. */
  stopped_at: column.optional(column.time),
  /** One word for the clients, such as `insolvent`. */
  reason: column.optional(column.text),
  /** One sentence for the operator. */
  detail: column.optional(column.text),
})

const SOLVENCY = 'solvency'

/** Key that a command guarded by {@link refuseWhenStopped} reads. */
export const SOLVENCY_BREAKER = { table: breakers, id: SOLVENCY } as const satisfies StateKey

/**
 * Refuses while the solvency breaker is open: swaps and all that takes money out.
 *
 * @throws Refusal `trading_suspended` with the reason.
 */
export function refuseWhenStopped(state: State): void {
  const breaker = state.row(breakers, SOLVENCY)
  if (breaker?.stopped_at) throw refusal('trading_suspended', { reason: breaker.reason })
}

/** Whether a breaker is open now, as committed. Decisions ask {@link refuseWhenStopped} instead. */
export async function isBreakerOpen(db: Queryable, id: string): Promise<boolean> {
  return (await db.query('select 1 from breakers where id = $1 and stopped_at is not null', [id])).length > 0
}

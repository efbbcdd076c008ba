import type { State, StateKey } from '@clearwell/ledger/command'
import type { Queryable } from '@clearwell/ledger/database'
import { column, defineWriterTable, forever } from '@clearwell/ledger/table'
import { refusal } from './refuse.ts'

/** For clients. */
const BREAKER_REASONS = ['insolvent', 'withdrawals_paused'] as const

/** Switches that stop risky commands during a fault. A breaker has no row until its first use. */
export const breakers = defineWriterTable('breakers', forever('one row for each breaker'), {
  id: column.text,
  /** null while the breaker is closed. */
  stopped_at: column.optional(column.time),
  reason: column.optional(column.oneOf(BREAKER_REASONS)),
  /** One sentence for the operator. */
  detail: column.optional(column.text),
})

const SOLVENCY = 'solvency'

/** Key that a command guarded by {@link refuseWhenStopped} reads. */
export const SOLVENCY_BREAKER = { table: breakers, id: SOLVENCY } as const satisfies StateKey

/**
 * Refuses swaps and withdrawals while the solvency breaker is open.
 *
 * @throws Refusal `trading_suspended` with the reason.
 */
export function refuseWhenStopped(state: State): void {
  const breaker = state.row(breakers, SOLVENCY)
  if (breaker?.stopped_at) throw refusal('trading_suspended', { reason: breaker.reason ?? undefined })
}

/** The stop of transfers out before the ledger moves to another vault. It lasts until the operator ends it. */
export const VAULT_MOVE_STOP = { table: breakers, id: 'vault_move' } as const satisfies StateKey

/**
 * Refuses a transfer out while the operator has stopped them to move to another vault.
 *
 * @throws Refusal `trading_suspended` with the reason.
 */
export function refuseWhenMoving(state: State): void {
  const stop = state.row(breakers, VAULT_MOVE_STOP.id)
  if (stop?.stopped_at) throw refusal('trading_suspended', { reason: stop.reason ?? undefined })
}

/** Reads from the database if a breaker is open. Decisions use {@link refuseWhenStopped} instead. */
export async function isBreakerOpen(db: Queryable, id: string): Promise<boolean> {
  return (await db.query('select 1 from breakers where id = $1 and stopped_at is not null', [id])).length > 0
}

import type { State } from '@clearwell/ledger/command'
import { column, defineWriterTable, forever } from '@clearwell/ledger/table'
import { refusal } from '../../platform/ledger/refuse.ts'

/**
 * A user's activation. A user has no row until the first change. The rows that an activation writes are carried, so that a restore
 * gives the account what it has paid for (decision 0074).
 */
export const members = defineWriterTable(
  'members',
  forever('one row for each account that began an activation'),
  {
    id: column.user('keeps'),
    activated_at: column.optional(column.time),
    /** The order to pay while activation by wallet is in progress. */
    activation_order_id: column.optional(column.text),
  },
  { carried: 'always' },
)

export function isActivated(state: State, userId: string): boolean {
  return state.row(members, userId)?.activated_at != null
}

/** @throws Refusal `not_activated`. */
export function requireActivated(state: State, userId: string): void {
  if (!isActivated(state, userId)) throw refusal('not_activated')
}

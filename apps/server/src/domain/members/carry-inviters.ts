import { type RowWrite, type State, write } from '@clearwell/ledger/command'
import { isActivated } from './members.ts'
import { type InviterRow, inviters, memberships } from './memberships.ts'

/** Users whose rows one command carries at most: a line of inviters without an activation has no other limit. */
const MOST_CARRIED = 16

/**
 * Returns the rows of a user and of the inviters above, which a restore needs to add users who joined after the backup. It ends at an inviter
 * who is activated or has an activated lead: an earlier command has carried that one.
 */
export function carryInviters(state: State, userId: string): RowWrite[] {
  const rows: RowWrite[] = []
  for (let id: string | null = userId; id !== null && rows.length < MOST_CARRIED; ) {
    const row: InviterRow | undefined = state.row(inviters, id)
    if (!row) break
    rows.push(write(inviters, row))
    id = row.parent_id
    if (id !== null && (state.row(memberships, id) || isActivated(state, id))) break
  }
  return rows
}

import { type RowWrite, type State, write } from '@clearwell/ledger/command'
import type { Queryable } from '@clearwell/ledger/database'
import { isActivated } from './members.ts'
import { type InviterRow, inviters, memberships } from './memberships.ts'

/** Users whose rows one command carries at most: a line of inviters without an activation has no other limit. */
export const MOST_CARRIED = 16

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

/**
 * Reads the rows that {@link carryInviters} returns, outside the writer: nothing keeps an account that has no activation, and the writer would
 * keep its inviter. None for a user who is activated, since that command has carried them.
 */
export function readInviters(db: Queryable, userId: string): Promise<InviterRow[]> {
  const isCarried = (id: string) =>
    `exists (select from members where members.id = ${id} and activated_at is not null) or exists (select from memberships where memberships.id = ${id})`
  return db.query<InviterRow>(
    `with recursive joined as (
       select id, parent_id, invite_code, created_at, 1 as depth from users
       where id = $1 and not exists (select from members where members.id = $1 and activated_at is not null)
       union all
       select above.id, above.parent_id, above.invite_code, above.created_at, depth + 1
       from joined join users above on above.id = joined.parent_id where depth < $2 and not (${isCarried('above.id')})
     ) select ${inviters.columns} from joined order by depth`,
    [userId, MOST_CARRIED],
  )
}

import { column, daysAfter, defineTable, type RowOf, until } from '@clearwell/ledger/table'

export const users = defineTable(
  'users',
  until(
    '`retention.emptyAccountsDays` days after its last session ended: only an account without a ledger entry, lead, order, plan, UID or unconfirmed payment',
  ),
  {
    id: column.user('apart'),
    invite_code: column.text,
    parent_id: column.optional(column.otherUser),
    nickname: column.text,
    created_at: column.time,
    number: column.bigint,
  },
)
export type UserRow = RowOf<typeof users>

export const departedMembers = defineTable(
  'departed_members',
  daysAfter('the account was deleted: every server has then taken it out of its tree', {
    days: 1,
    condition: 'at < $1',
  }),
  {
    number: column.bigint,
    member: column.bigint,
    at: column.time,
  },
)

import { column, defineTable, type RowOf, until } from '@clearwell/ledger/table'

export const users = defineTable(
  'users',
  until(
    '`retention.emptyAccountsDays` after the end of the last session, if there is no ledger entry, lead, order, plan, UID or unconfirmed payment; else for ever',
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
  until('every server has taken the member out of its tree: one day', { days: 1, condition: 'at < $1' }),
  {
    number: column.bigint,
    member: column.bigint,
    at: column.time,
  },
)

import { column, defineTable } from '@clearwell/ledger/table'

/** What the rules need to know of a user. A row is missing until something is known. */
export const members = defineTable('members', {
  id: column.text,
  activated_at: column.optional(column.time),
  /** The order to pay while activation by wallet is under way. */
  activation_order_id: column.optional(column.text),
})

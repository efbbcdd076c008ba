import { column, defineTable } from '@clearwell/ledger/table'

/** A user's activation. A user has no row until the first change. */
export const members = defineTable('members', {
  id: column.text,
  activated_at: column.optional(column.time),
  /** The order to pay while activation by wallet is in progress. */
  activation_order_id: column.optional(column.text),
})

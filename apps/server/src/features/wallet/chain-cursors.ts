import { column, defineTable } from '@clearwell/ledger/table'

/** How far the watcher has read a chain: the last block, which had the profile's confirmations. */
export const chainCursors = defineTable('chain_cursors', {
  /** The chain's number. */
  id: column.text,
  number: column.units,
  hash: column.text,
  /** The block's own timestamp. */
  time: column.time,
})

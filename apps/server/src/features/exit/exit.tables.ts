import { column, defineTable, type RowOf, until } from '@clearwell/ledger/table'

/** The transaction that posts a header, while it is not mined. */
export const rootTransactions = defineTable(
  'root_transactions',
  until('the transaction is mined: at most one row for each chain'),
  {
    /** The chain's number. */
    id: column.text,
    nonce: column.bigint,
    /** The number of the header. */
    number: column.bigint,
    /** Of every transaction with this nonce, the newest last. */
    hashes: column.list(column.text),
    /** The newest one, signed. */
    raw: column.text,
    /** Wei for each unit of gas. */
    max_fee: column.units,
    tip: column.units,
    sent_at: column.time,
  },
)
export type RootTransactionRow = RowOf<typeof rootTransactions>

import { column, defineTable, defineWriterTable, forever, type RowOf, until } from '@clearwell/ledger/table'

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

/** Payments of the vault to accounts that left. */
export const exitPayments = defineWriterTable(
  'exit_payments',
  forever('payments of the vault, booked once; at most one for each account, asset and exit that paid'),
  {
    /** Chain, transaction and log index. */
    id: column.text,
    /** The account that left, in lower case. */
    user_id: column.user('keeps'),
    asset: column.asset,
    units: column.units,
    /** Units that the account did not have available when it was booked, and has not paid since. */
    missing: column.units,
    /** The address that was paid, in lower case. */
    receiver: column.text,
    tx_hash: column.text,
    block: column.units,
    booked_at: column.time,
  },
)
export type ExitPaymentRow = RowOf<typeof exitPayments>

import { column, defineWriterTable, forever } from '@clearwell/ledger/table'

/** Credited payments to the vault, by {@link movementId}. */
export const deposits = defineWriterTable(
  'deposits',
  forever('the record that a payment was credited: without it, it could be credited again'),
  {
    id: column.text,
    user_id: column.user('implied'),
    asset: column.asset,
    units: column.units,
    tx_hash: column.text,
    block_number: column.units,
    order_id: column.optional(column.text),
    credited_at: column.time,
    /** The vault whose counters contain it, in lower case; null if none do. */
    counted_by: column.optional(column.text),
    /** Set after a reorganisation removed the payment and the credit was taken back. */
    taken_back_at: column.optional(column.time),
    /** The parts that operator accounts paid because the user had spent the money, in base units. */
    covered_by_insurance: column.units,
    covered_by_treasury: column.units,
  },
)

/** Nothing was taken back. */
export const NOT_TAKEN_BACK = { taken_back_at: null, covered_by_insurance: 0n, covered_by_treasury: 0n } as const

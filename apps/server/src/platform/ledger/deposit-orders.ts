import { column, daysAfter, defineWriterTable } from '@clearwell/ledger/table'

/** Orders to pay the vault, for any purpose. */
export const depositOrders = defineWriterTable(
  'deposit_orders',
  daysAfter('the order expired without a payment', {
    days: 'retention.ordersDays',
    condition: 'credited = 0 and expires_at < $1',
  }),
  {
    /** 32 bytes as hex: the `orderId` of the vault's `deposit`. */
    id: column.text,
    user_id: column.user('keeps'),
    /** `transfer_in`, or a purpose that a feature has registered, such as `activation`. */
    purpose: column.text,
    asset: column.asset,
    amount: column.units,
    credited: column.units,
    tx_hash: column.optional(column.text),
    created_at: column.time,
    expires_at: column.time,
  },
  // A payment after a restore still finds its order, such as that of an activation.
  { carried: 'always' },
)

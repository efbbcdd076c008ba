import { VOUCHER_REFUSALS, WITHDRAWAL_STOPS } from '@clearwell/api/refusal-reasons'
import { column, defineTable, forever, until } from '@clearwell/ledger/table'

export const signedVouchers = defineTable('signed_vouchers', forever('a nonce must never be signed twice'), {
  nonce: column.units,
  digest: column.text,
  asset: column.text,
  /** In the token's own base units. */
  units: column.units,
  signed_at: column.time,
  /** The reason of a refusal; null for a signed voucher. */
  refused: column.optional(column.oneOf([...WITHDRAWAL_STOPS, ...VOUCHER_REFUSALS, 'cancelled'])),
  /** The account that it pays, in lower case. */
  account: column.user('implied'),
})

export const expiredVouchers = defineTable(
  'expired_vouchers',
  forever('a voucher that expired must never count or pay again'),
  {
    nonce: column.units,
    expired_at: column.time,
  },
)

export const signerCaps = defineTable('signer_caps', forever('one row for each asset'), {
  asset: column.text,
  summed_from: column.optional(column.time),
  summed_to: column.optional(column.time),
})

export const signerMinutes = defineTable('signer_minutes', until('it is older than the daily caps look back'), {
  asset: column.text,
  minute: column.time,
  total: column.units,
  highest: column.units,
  highest_at: column.time,
})

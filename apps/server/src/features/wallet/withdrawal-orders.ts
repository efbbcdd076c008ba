import { column, defineTable } from '@clearwell/ledger/table'

/** Transfers out. */
export const withdrawalOrders = defineTable('withdrawal_orders', {
  /** The nonce as 32 hex digits. */
  id: column.text,
  user_id: column.text,
  asset: column.text,
  amount: column.units,
  nonce: column.units,
  /** The last second in which the voucher pays, as a block's timestamp. */
  deadline: column.time,
  /** See {@link WithdrawalStatus}. */
  status: column.text,
  refused_reason: column.optional(column.text),
  signature: column.optional(column.text),
  tx_hash: column.optional(column.text),
  created_at: column.time,
  completed_at: column.optional(column.time),
})

export type WithdrawalRow = Parameters<typeof withdrawalOrders.saveStatement>[0][number]

/**
 * `locked` → `signed` → `completed` when the vault has paid, or `expired` when it can pay no more; `locked` → `refused`
 * when the signer will never sign it. The money is locked in the first two and nowhere else.
 */
export type WithdrawalStatus = 'locked' | 'signed' | 'completed' | 'expired' | 'refused'

/** Whether the money of an order in this status is still locked. */
export function isOpen(status: string): boolean {
  return status === 'locked' || status === 'signed'
}

/** The order that a nonce belongs to, if there is one. */
export function orderIdOf(nonce: bigint): string {
  return nonce.toString(16).padStart(32, '0')
}

import { stored, useItems } from '@clearwell/ui/browser/stored.ts'
import type { LostOutcome, SentTransaction } from '../wallet/sent-transaction.ts'
import type { VaultRevert } from '../wallet/vault-revert.ts'

/**
 * The part of a payment that only this device knows, such as the hashes that the wallet gave. Stored per account, so that
 * a payment survives leaving the page and a reload. The order itself is on the server.
 */
export interface PaymentRecord {
  readonly orderId: string
  /** The asset and amount of a transfer; `out` where it leaves Clearwell. */
  readonly transfer?: { readonly asset: string; readonly amount: string; readonly out?: boolean } | undefined
  /** The amount credited to the order before this payment, where an order adds up several payments. */
  readonly creditedBefore?: string | undefined
  /** The approval's current hash. */
  readonly approvalHash?: string | undefined
  /** Finds the approval again where the wallet replaced it. */
  readonly approvalSent?: SentTransaction | undefined
  /** The vault may take the amount. */
  readonly approved?: boolean | undefined
  /** The vault may take it by a permit in the payment itself. */
  readonly permitted?: boolean | undefined
  /** The wallet cannot sign a permit, or the token rejects it: use an approval. */
  readonly permitFailed?: boolean | undefined
  /** The wallet was asked to pay. Without `hash` its response is not known. */
  readonly asked?: boolean | undefined
  /** The payment's current hash. */
  readonly hash?: string | undefined
  /** Finds the payment again where the wallet replaced it. */
  readonly sent?: SentTransaction | undefined
  /** A payment that failed. Nothing was sent after it. */
  readonly failedHash?: string | undefined
  readonly failedBy?: LostOutcome | undefined
  /** The vault's error that reverted it, where known. */
  readonly failedRevert?: VaultRevert | undefined
}

/** The latest payments between the wallet and the vault, with the hashes that the wallet gave. */
const records = stored<PaymentRecord>({
  key: 'clearwell.payments',
  scope: 'device',
  owner: true,
  keep: 20,
  schema: (value) => (isRecord(value) ? value : undefined),
})

/** The payments of an account that were made on this device, newest first. */
export function usePaymentRecords(account: string): readonly PaymentRecord[] {
  return useItems(records.of(account))
}

/** The stored record, including changes by other tabs. */
export function readPayment(account: string, orderId: string): PaymentRecord | undefined {
  return records.of(account).get(orderId)
}

/** Adds to the record of a payment, or starts one. */
export function savePayment(account: string, change: PaymentRecord): void {
  records.of(account).put(change.orderId, { ...readPayment(account, change.orderId), ...change })
}

/** Call it once the payment is credited or paid out. */
export function forgetPayment(account: string, orderId: string): void {
  records.of(account).remove(orderId)
}

function isRecord(value: unknown): value is PaymentRecord {
  return typeof value === 'object' && value !== null && 'orderId' in value && typeof value.orderId === 'string'
}

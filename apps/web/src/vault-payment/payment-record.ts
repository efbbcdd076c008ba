import { createStore, useStore } from '../browser/store.ts'
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

const KEY_PREFIX = 'clearwell.payments.'
const KEPT = 20

const stores = new Map<string, ReturnType<typeof createStore<readonly PaymentRecord[]>>>()

/** The payments of an account that were made on this device, newest first. */
export function usePaymentRecords(account: string): readonly PaymentRecord[] {
  return useStore(storeOf(account))
}

/** The stored record, including changes by other tabs. */
export function readPayment(account: string, orderId: string): PaymentRecord | undefined {
  return load(account).find((record) => record.orderId === orderId)
}

/** Adds to the record of a payment, or starts one. */
export function savePayment(account: string, change: PaymentRecord): void {
  const records = load(account)
  const known = records.find(({ orderId }) => orderId === change.orderId)
  const saved = { ...known, ...change }
  store(account, known ? records.map((record) => (record === known ? saved : record)) : [saved, ...records])
}

/** Call it once the payment is credited or paid out. */
export function forgetPayment(account: string, forgotten: string): void {
  const records = load(account)
  const rest = records.filter(({ orderId }) => orderId !== forgotten)
  if (rest.length < records.length) store(account, rest)
}

function store(account: string, records: readonly PaymentRecord[]): void {
  const next = records.slice(0, KEPT)
  // Without storage the payment continues, but a reload does not find its hashes.
  try {
    localStorage.setItem(keyOf(account), JSON.stringify(next))
  } catch {}
  storeOf(account).set(next)
}

function storeOf(account: string) {
  const key = keyOf(account)
  const known = stores.get(key)
  if (known) return known
  const created = createStore<readonly PaymentRecord[]>(load(account))
  stores.set(key, created)
  window.addEventListener('storage', (event) => {
    if (event.key === key) created.set(load(account))
  })
  return created
}

function load(account: string): readonly PaymentRecord[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(account)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isRecord) : []
  } catch {
    return stores.get(keyOf(account))?.get() ?? []
  }
}

function isRecord(value: unknown): value is PaymentRecord {
  return typeof value === 'object' && value !== null && 'orderId' in value && typeof value.orderId === 'string'
}

function keyOf(account: string): string {
  return KEY_PREFIX + account.toLowerCase()
}

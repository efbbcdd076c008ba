import { createStore, useStore } from '../browser/store.ts'
import type { LostOutcome, SentTransaction } from './sent-transaction.ts'
import type { VaultRevert } from './vault-revert.ts'

/**
 * What this device knows of a payment to the vault, or out of it, and the server does not: the hashes that the wallet
 * gave. Kept in local storage, per account, so that a payment survives leaving the page and a reload. The order itself is
 * the server's.
 */
export interface PaymentRecord {
  readonly orderId: string
  /** What is transferred, where the payment is a transfer; `out` where it goes out. */
  readonly transfer?: { readonly asset: string; readonly amount: string; readonly out?: boolean } | undefined
  /** What had come in for the order before this payment, where payments of an order add up. */
  readonly creditedBefore?: string | undefined
  /** The approval that the wallet sent, under the hash that it has by now. */
  readonly approvalHash?: string | undefined
  /** What it takes to find the approval where the wallet replaced it. */
  readonly approvalSent?: SentTransaction | undefined
  /** The vault may take the amount: approved just now, or from before, or by a permit. */
  readonly approved?: boolean | undefined
  /** The vault may take it by a permit in the payment itself. */
  readonly permitted?: boolean | undefined
  /** The wallet cannot sign a permit, or the token would not take it: it is approved. */
  readonly permitFailed?: boolean | undefined
  /** The wallet was asked to pay. Without `hash` its answer is not known. */
  readonly asked?: boolean | undefined
  /** The payment that the wallet sent, under the hash that it has by now. */
  readonly hash?: string | undefined
  /** What it takes to find the payment where the wallet replaced it. */
  readonly sent?: SentTransaction | undefined
  /** A payment that came to nothing. Nothing was sent after it. */
  readonly failedHash?: string | undefined
  readonly failedBy?: LostOutcome | undefined
  /** Which of the vault's errors threw it out, where that is known. */
  readonly failedRevert?: VaultRevert | undefined
}

const KEY_PREFIX = 'clearwell.payments.'
const KEPT = 20

const stores = new Map<string, ReturnType<typeof createStore<readonly PaymentRecord[]>>>()

/** The payments of an account that were made on this device, newest first. */
export function usePaymentRecords(account: string): readonly PaymentRecord[] {
  return useStore(storeOf(account))
}

/** As it is stored now, another tab's doings included. */
export function readPayment(account: string, orderId: string): PaymentRecord | undefined {
  return load(account).find((record) => record.orderId === orderId)
}

/** Adds to what is known of a payment, or begins to know it. */
export function savePayment(account: string, change: PaymentRecord): void {
  const records = load(account)
  const known = records.find(({ orderId }) => orderId === change.orderId)
  const saved = { ...known, ...change }
  store(account, known ? records.map((record) => (record === known ? saved : record)) : [saved, ...records])
}

/** After it was credited, or paid out. */
export function forgetPayment(account: string, forgotten: string): void {
  const records = load(account)
  const rest = records.filter(({ orderId }) => orderId !== forgotten)
  if (rest.length < records.length) store(account, rest)
}

function store(account: string, records: readonly PaymentRecord[]): void {
  const next = records.slice(0, KEPT)
  // Without storage the payment goes on; only a reload would not find the hashes, and the order is on the server.
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

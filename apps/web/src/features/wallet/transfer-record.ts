import { createStore, useStore } from '../../ui/store.ts'

/**
 * What this device knows of a transfer in and the server does not: the hashes that the wallet gave. Kept in local
 * storage, per account, so that a transfer survives leaving the page and a reload. The order itself is the server's.
 */
export interface TransferRecord {
  readonly orderId: string
  readonly asset: string
  readonly amount: string
  readonly startedAt: string
  /** The approval that the wallet sent. */
  readonly approveHash?: string | undefined
  /** The vault may take the amount: approved just now, or from before. */
  readonly approved?: boolean | undefined
  /** The wallet was asked to send the deposit. Without `sendHash` its answer is not known. */
  readonly sendAsked?: boolean | undefined
  readonly sendHash?: string | undefined
}

const KEY_PREFIX = 'clearwell.transfers.'
const KEPT = 20

const stores = new Map<string, ReturnType<typeof createStore<readonly TransferRecord[]>>>()

/** The transfers of an account that were made on this device, newest first. */
export function useTransferRecords(account: string): readonly TransferRecord[] {
  return useStore(storeOf(account))
}

/** As it is stored now, another tab's doings included. */
export function readTransfer(account: string, orderId: string): TransferRecord | undefined {
  return load(account).find((record) => record.orderId === orderId)
}

/** Adds to what is known of a transfer, or begins to know it. */
export function saveTransfer(account: string, change: Partial<TransferRecord> & Pick<TransferRecord, 'orderId'>): void {
  const records = load(account)
  const known = records.find(({ orderId }) => orderId === change.orderId)
  const begun = { asset: '', amount: '', startedAt: new Date().toISOString() }
  const saved: TransferRecord = { ...begun, ...known, ...change }
  const rest = records.filter(({ orderId }) => orderId !== change.orderId)
  // Without storage the transfer goes on; only a reload would not find the hashes, and the order is on the server.
  const next = known ? records.map((record) => (record === known ? saved : record)) : [saved, ...rest].slice(0, KEPT)
  try {
    localStorage.setItem(keyOf(account), JSON.stringify(next))
  } catch {}
  storeOf(account).set(next)
}

function storeOf(account: string) {
  const key = keyOf(account)
  const known = stores.get(key)
  if (known) return known
  const store = createStore<readonly TransferRecord[]>(load(account))
  stores.set(key, store)
  window.addEventListener('storage', (event) => {
    if (event.key === key) store.set(load(account))
  })
  return store
}

function load(account: string): readonly TransferRecord[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(account)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isRecord) : []
  } catch {
    return stores.get(keyOf(account))?.get() ?? []
  }
}

function isRecord(value: unknown): value is TransferRecord {
  return typeof value === 'object' && value !== null && 'orderId' in value && typeof value.orderId === 'string'
}

function keyOf(account: string): string {
  return KEY_PREFIX + account.toLowerCase()
}

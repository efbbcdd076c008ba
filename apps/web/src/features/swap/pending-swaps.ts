import type { PayloadInput } from '@clearwell/api/routes'
import type { AssetId } from '@clearwell/money/asset'
import { createStore, useStore } from '@clearwell/ui/browser/store.ts'
import { walletStore } from '../../wallet/wallet-store.ts'
import type { ExactSide, SwapTerms } from './swap-terms.ts'

/**
 * A confirmed swap whose outcome was not shown yet. Its idempotency key finds its status on the server and makes it safe
 * to send again, so the swap is stored on this device before it is sent and until its outcome was seen. Amounts are base
 * units as text.
 */
export interface PendingSwap {
  /** The idempotency key of the confirmation. */
  readonly key: string
  /** The address that confirmed it, in lower case. */
  readonly owner: string
  readonly payload: PayloadInput<'doSwap'>
  readonly sold: AssetId
  readonly bought: AssetId
  readonly exact: ExactSide
  readonly quotedIn: string
  readonly quotedOut: string
  readonly limit: string
}

const STORAGE_KEY = 'clearwell.swap.pending'
/** The most swaps that are stored, newest first. */
const MAX_STORED = 10

/** The swaps of this page where the device cannot store them. */
let unstored: readonly PendingSwap[] | undefined
const pendingStore = createStore<readonly PendingSwap[]>(load())

if (typeof window !== 'undefined')
  window.addEventListener('storage', ({ key }) => {
    if (key === STORAGE_KEY || key === null) pendingStore.set(load())
  })

// Disconnecting the wallet clears this device. An expired session keeps the swaps it has sent.
let { status: statusBefore } = walletStore.get()
walletStore.subscribe(() => {
  const { status, isResuming } = walletStore.get()
  if (statusBefore === 'connected' && status === 'disconnected' && !isResuming) store([])
  statusBefore = status
})

export function pendingSwapOf(terms: SwapTerms, sent: Pick<PendingSwap, 'key' | 'owner' | 'payload'>): PendingSwap {
  const { sold, bought, exact, amountIn, amountOut, limit } = terms
  const quoted = { quotedIn: String(amountIn), quotedOut: String(amountOut), limit: String(limit) }
  return { ...sent, owner: sent.owner.toLowerCase(), sold, bought, exact, ...quoted }
}

/** The pending swaps of an account, newest first. */
export function usePendingSwaps(owner: string): readonly PendingSwap[] {
  return pendingOf(useStore(pendingStore), owner)
}

/** Stores a swap and removes those of other accounts. */
export function keepPendingSwap(pending: PendingSwap): void {
  const others = load().filter(({ key, owner }) => key !== pending.key && owner === pending.owner)
  store([pending, ...others].slice(0, MAX_STORED))
}

/** Removes a swap after its outcome was seen or the user dropped it. */
export function forgetPendingSwap(key: string): void {
  store(load().filter((pending) => pending.key !== key))
}

/** The pending swaps of an account as stored now, also by another tab. */
export function readPendingSwaps(owner: string): readonly PendingSwap[] {
  return pendingOf(load(), owner)
}

function pendingOf(pendings: readonly PendingSwap[], owner: string): readonly PendingSwap[] {
  return owner === '' ? [] : pendings.filter((pending) => pending.owner === owner.toLowerCase())
}

function store(next: readonly PendingSwap[]): void {
  // Without storage the swap continues. A reload loses the pending swap, but the order list will show it.
  try {
    if (next.length === 0) localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, JSON.stringify(next))
    unstored = undefined
  } catch {
    unstored = next
  }
  pendingStore.set(next)
}

function load(): readonly PendingSwap[] {
  if (unstored !== undefined) return unstored
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isPendingSwap) : []
  } catch {
    return []
  }
}

function isPendingSwap(value: unknown): value is PendingSwap {
  if (typeof value !== 'object' || value === null) return false
  const { key, owner, payload, sold, bought, exact, quotedIn, quotedOut, limit } = value as Partial<PendingSwap>
  const isText = [key, owner, sold, bought].every((text) => typeof text === 'string' && text !== '')
  const isUnits = [quotedIn, quotedOut, limit].every((text) => typeof text === 'string' && /^\d{1,60}$/.test(text))
  return isText && isUnits && (exact === 'in' || exact === 'out') && typeof payload === 'object' && payload !== null
}

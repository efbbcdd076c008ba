import type { PayloadInput } from '@clearwell/api/routes'
import type { AssetId } from '@clearwell/money/asset'
import { createStore, useStore } from '../../browser/store.ts'
import { walletStore } from '../../wallet/wallet-store.ts'
import type { ExactSide, SwapTerms } from './swap-terms.ts'

/**
 * A swap that was confirmed and whose outcome has not been shown yet. With its idempotency key the server can be asked
 * what became of it, and it can be sent again without happening twice; so it is kept on this device from before it is
 * sent until its outcome was seen. Amounts are base units as text.
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
const KEPT = 10

/** What this page knows, where nothing can be stored. */
let unstored: readonly PendingSwap[] | undefined
const pendingStore = createStore<readonly PendingSwap[]>(load())

if (typeof window !== 'undefined')
  window.addEventListener('storage', ({ key }) => {
    if (key === STORAGE_KEY || key === null) pendingStore.set(load())
  })

// Whoever disconnects the wallet leaves nothing behind. A session that only ran out keeps what it has sent.
let { status: statusBefore } = walletStore.get()
walletStore.subscribe(() => {
  const { status } = walletStore.get()
  if (statusBefore === 'connected' && status === 'disconnected') store([])
  statusBefore = status
})

export function pendingSwapOf(terms: SwapTerms, sent: Pick<PendingSwap, 'key' | 'owner' | 'payload'>): PendingSwap {
  const { sold, bought, exact, amountIn, amountOut, limit } = terms
  const quoted = { quotedIn: String(amountIn), quotedOut: String(amountOut), limit: String(limit) }
  return { ...sent, owner: sent.owner.toLowerCase(), sold, bought, exact, ...quoted }
}

/** The swaps of this account whose outcome was not seen, newest first. */
export function usePendingSwaps(owner: string): readonly PendingSwap[] {
  return pendingOf(useStore(pendingStore), owner)
}

/** Keeps it; what another account left on this device goes. */
export function keepPendingSwap(pending: PendingSwap): void {
  const others = load().filter(({ key, owner }) => key !== pending.key && owner === pending.owner)
  store([pending, ...others].slice(0, KEPT))
}

/** After its outcome was seen, or it was given up. */
export function forgetPendingSwap(forgotten: string): void {
  store(load().filter(({ key }) => key !== forgotten))
}

/** What stands on this device for an account, as another tab may have left it. */
export function readPendingSwaps(owner: string): readonly PendingSwap[] {
  return pendingOf(load(), owner)
}

function pendingOf(pendings: readonly PendingSwap[], owner: string): readonly PendingSwap[] {
  return owner === '' ? [] : pendings.filter((pending) => pending.owner === owner.toLowerCase())
}

function store(next: readonly PendingSwap[]): void {
  // Without storage the swap goes on; only a closed page would not know of it, and the orders do.
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

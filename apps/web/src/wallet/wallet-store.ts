import { createStore } from '@clearwell/ui/browser/store.ts'
import { walletPresentStore } from '../api/session-store.ts'

export type WalletStatus = 'disconnected' | 'connecting' | 'connected' | 'reconnecting'

/** The wallet's state, known before any wallet code is loaded. */
export interface WalletState {
  readonly status: WalletStatus
  /**
   * A connection is stored and its wallet has not said yet whether it still permits it. Until then the status is
   * `disconnected` (specification §4), and the user stays signed in.
   */
  readonly isResuming?: boolean
  readonly address?: `0x${string}` | undefined
  readonly chainId?: number | undefined
  readonly connectorUid?: string | undefined
  readonly connectorName?: string | undefined
}

/** The prefix of the wallet's keys in local storage (specification §3). */
export const STORAGE_PREFIX = 'clearwell'

/** The storage key of wagmi's state: the chain, the connections and the current one. */
export const STATE_KEY = `${STORAGE_PREFIX}.store`

export const walletStore = createStore<WalletState>({
  status: 'disconnected',
  isResuming: hasStoredConnection(),
})

// First of the subscribers, so that every later subscriber sees a session that matches the wallet.
walletStore.subscribe(showPresence)
showPresence()

function showPresence(): void {
  const { status, isResuming = false } = walletStore.get()
  walletPresentStore.set(status === 'connected' || status === 'reconnecting' || isResuming)
}

/** Returns whether a connection is stored that a page load should restore, if its wallet still permits it. */
export function hasStoredConnection(): boolean {
  try {
    const stored = JSON.parse(localStorage.getItem(STATE_KEY) ?? 'null')
    return typeof stored?.state?.current === 'string'
  } catch {
    return false
  }
}

/** Forgets the stored connection where the wallet library cannot: its code has not started. */
export function forgetStoredConnection(): void {
  localStorage.removeItem(STATE_KEY)
}

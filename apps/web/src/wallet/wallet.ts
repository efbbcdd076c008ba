import { useStore } from '@clearwell/ui/browser/store.ts'
import { fetchConfig, useConfig } from '../api/config.ts'
import type { WalletCore } from './wallet-core.ts'
import { hasStoredConnection, STATE_KEY, type WalletState, walletStore } from './wallet-store.ts'

/** Between two tries to bring the wallet back while its code or the configuration is not to be had. */
const RETRY_MS = 5_000

let core: Promise<WalletCore> | undefined

/**
 * The wallet, its code loaded at the first use (wagmi and viem, never part of the first paint).
 *
 * @example const hash = await (await wallet()).sendTransaction({ to, data, value })
 */
export function wallet(): Promise<WalletCore> {
  core ??= load().catch((error: unknown) => {
    core = undefined
    throw error
  })
  return core
}

/**
 * After the first paint: brings a stored connection back, and follows what other tabs do to it. Without one no wallet
 * code is loaded.
 */
export function resumeWallet(): void {
  window.addEventListener('storage', ({ key }) => {
    if (key === STATE_KEY || key === null) followOtherTab()
  })
  if (!hasStoredConnection()) return
  if ('requestIdleCallback' in window) requestIdleCallback(resume, { timeout: 1_000 })
  else setTimeout(resume, 200)
}

function followOtherTab(): void {
  if (core) {
    void core.then((loaded) => loaded.followOtherTab()).catch(() => {})
    return
  }
  if (!hasStoredConnection()) {
    walletStore.set({ status: 'disconnected' })
    return
  }
  walletStore.set({ status: 'disconnected', isResuming: true })
  resume()
}

/** An unreachable server disconnects no user: the session stays while the request is retried. */
function resume(): void {
  wallet().catch(() => setTimeout(resume, RETRY_MS))
}

export interface WalletView extends WalletState {
  /** Connected, but to another chain than the one that the configuration requires. */
  readonly wrongNetwork: boolean
}

/** The wallet's state, for components. */
export function useWallet(): WalletView {
  const state = useStore(walletStore)
  const config = useConfig()
  const wrongNetwork =
    state.status === 'connected' &&
    config !== undefined &&
    state.chainId !== undefined &&
    state.chainId !== config.chain.id
  return { ...state, wrongNetwork }
}

async function load(): Promise<WalletCore> {
  const [{ startWalletCore }, config] = await Promise.all([import('./wallet-core.ts'), fetchConfig()])
  return startWalletCore(config)
}

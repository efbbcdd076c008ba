import { currentLocale } from '@clearwell/ui/i18n/locale.ts'
import { defineChain } from 'viem'
import { type CreateConnectorFn, createConfig, createStorage, type Config as WagmiConfig } from 'wagmi'
import type { Config } from '../api/config.ts'
import { browserConnector } from './browser-connector.ts'
import { watchAnnouncedWallets } from './browser-wallets.ts'
import { POLLING_INTERVAL_MS, rpcTransport } from './transport.ts'
import { walletConnectConnector } from './wallet-connect-connector.ts'
import { STATE_KEY, STORAGE_PREFIX } from './wallet-store.ts'

/** wagmi's configuration, and a way to change its state that the next page load and other tabs do not see. */
export interface WalletConfig {
  readonly config: WagmiConfig
  /** Runs `change` without storing what it does to the state. */
  unstored(change: () => void): void
}

/**
 * wagmi, configured by the profile: its chains with the required one first, a node for each that the product uses, the
 * wallets of this browser, and WalletConnect where the operator offers it.
 *
 * @returns it once the stored state is read: an earlier reconnection would be overwritten.
 */
export async function createWalletConfig(profile: Config): Promise<WalletConfig> {
  let isStoring = false
  const { chain: required } = profile
  const chains = [required, ...profile.chains.filter(({ id }) => id !== required.id)]
  const config: WagmiConfig = createConfig({
    chains: chains.map(chainOf) as [ReturnType<typeof chainOf>],
    // The first is the wallet at window.ethereum; announced wallets follow it.
    connectors: [browserConnector(), ...walletConnectOf(profile)],
    multiInjectedProviderDiscovery: false,
    transports: Object.fromEntries(chains.map(({ id, rpc_url }) => [id, rpcTransport(rpc_url ?? undefined)])),
    pollingInterval: POLLING_INTERVAL_MS,
    cacheTime: POLLING_INTERVAL_MS,
    storage: createStorage({ key: STORAGE_PREFIX, storage: versionedStorage(() => isStoring) }),
  })
  watchAnnouncedWallets((wallet) => {
    const { connectors } = config._internal
    const connector = connectors.setup(browserConnector(wallet))
    connectors.setState((known) => [...known, connector])
  })
  await rehydrated(config)
  isStoring = true
  return {
    config,
    unstored(change) {
      isStoring = false
      change()
      isStoring = true
    },
  }
}

/** Reads the stored state again, as another tab left it. */
export function rereadState(config: WagmiConfig): Promise<void> {
  return persistOf(config).rehydrate()
}

function walletConnectOf({ wallet_connect: configured, chain, product }: Config): CreateConnectorFn[] {
  if (!configured) return []
  const site = {
    projectId: configured.project_id,
    relayUrl: configured.relay_url,
    name: product[currentLocale()],
    origin: location.origin,
  }
  return [walletConnectConnector(site, { id: chain.id, rpcUrl: chain.rpc_url })]
}

function rehydrated(config: WagmiConfig): Promise<void> {
  const persist = persistOf(config)
  return new Promise((resolve) => {
    if (persist.hasHydrated()) resolve()
    else persist.onFinishHydration(() => resolve())
  })
}

/** The members that zustand's `persist` adds to wagmi's store; wagmi's types leave them out. */
interface Persist {
  hasHydrated(): boolean
  onFinishHydration(listener: () => void): () => void
  rehydrate(): Promise<void>
}

function persistOf({ _internal }: WagmiConfig): Persist {
  return (_internal.store as unknown as { persist: Persist }).persist
}

function chainOf({ id, name, native, rpc_url, explorer_url }: Config['chains'][number]) {
  return defineChain({
    id,
    name,
    nativeCurrency: native,
    rpcUrls: { default: { http: rpc_url === null ? [] : [rpc_url] } },
    ...(explorer_url ? { blockExplorers: { default: { name, url: explorer_url } } } : {}),
  })
}

/** wagmi 3 stamps its stored state with version 3, the specification says 2 (§3): the stamp is changed when stored. */
const WAGMI_VERSION = 3
const STORED_VERSION = 2

/**
 * Local storage for wagmi. A full or forbidden storage costs the memory of the connection, never the connection.
 *
 * wagmi stores its empty state before it has read the stored one; another tab would take that for a disconnection, so
 * the state is not written while `isWritable` says no.
 */
function versionedStorage(isWritable: () => boolean) {
  return {
    getItem(key: string): string | null {
      try {
        const value = localStorage.getItem(key)
        return key === STATE_KEY && value !== null ? restamp(value, STORED_VERSION, WAGMI_VERSION) : value
      } catch {
        return null
      }
    },
    setItem(key: string, value: string): void {
      if (key === STATE_KEY && !isWritable()) return
      try {
        localStorage.setItem(key, key === STATE_KEY ? restamp(value, WAGMI_VERSION, STORED_VERSION) : value)
      } catch {}
    },
    removeItem(key: string): void {
      try {
        localStorage.removeItem(key)
      } catch {}
    },
  }
}

/** Changes the version from one to the other; any other becomes 0, and wagmi then starts afresh. */
export function restamp(text: string, from: number, to: number): string {
  const stored = JSON.parse(text) as { version?: number }
  return JSON.stringify({ ...stored, version: stored.version === from ? to : 0 })
}

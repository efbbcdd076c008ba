import { type Address, defineChain, erc20Abi, type Hash, type Hex } from 'viem'
import { waitForTransactionReceipt } from 'viem/actions'
import { type Connector, createConfig, createStorage, http, injected } from 'wagmi'
import {
  connect,
  disconnect,
  getBalance,
  getConnection,
  getGasPrice,
  readContract,
  reconnect,
  sendTransaction,
  signMessage,
  switchChain,
  watchConnection,
  writeContract,
} from 'wagmi/actions'
import type { Config } from '../api/config.ts'
import { versionedStorage } from './versioned-storage.ts'
import { hasStoredConnection, STORAGE_PREFIX, walletStore } from './wallet-store.ts'

/** A wallet that the user can choose. */
export interface WalletChoice {
  readonly uid: string
  readonly name: string
  /** A data: URI, as EIP-6963 demands. */
  readonly icon: string | undefined
}

/** What can be done with a wallet. Every method rejects with the wallet's error; see `walletErrorText`. */
export type WalletCore = Awaited<ReturnType<typeof startWalletCore>>

const RPC_TIMEOUT_MS = 10_000
const RPC_RETRY_COUNT = 3
const RPC_RETRY_DELAY_MS = 150
const RPC_BATCH_SIZE = 1_000
const POLLING_INTERVAL_MS = 4_000

/** Loaded on demand, through `wallet()` alone. */
export async function startWalletCore({ chain: required, chains: configured, profile }: Config) {
  if (profile === 'local') {
    const { announceDemoWallet } = await import('./demo-wallet/demo-wallet.ts')
    announceDemoWallet({ chainId: required.id, rpcUrl: required.rpc_url })
  }
  // Asked before createConfig, which stores its initial state first and reads the stored one back after that.
  const resuming = hasStoredConnection()
  const chains = [required, ...configured.filter(({ id }) => id !== required.id)].map(chainOf)
  const config = createConfig({
    chains: chains as [(typeof chains)[number], ...typeof chains],
    // The first is whatever sits at window.ethereum; wallets that announce themselves (EIP-6963) follow it.
    connectors: [injected()],
    transports: Object.fromEntries(chains.map((chain) => [chain.id, transport(chain.rpcUrls.default.http[0])])),
    pollingInterval: POLLING_INTERVAL_MS,
    cacheTime: POLLING_INTERVAL_MS,
    storage: createStorage({ key: STORAGE_PREFIX, storage: versionedStorage }),
  })
  await rehydrated(config)

  watchConnection(config, { onChange: publish })
  if (resuming) await reconnect(config)
  publish()

  function publish(): void {
    const { status, address, chainId, connector } = getConnection(config)
    walletStore.set({ status, address, chainId, connectorUid: connector?.uid, connectorName: connector?.name })
  }

  function connectorOf(uid: string): Connector {
    const connector = config.connectors.find((candidate) => candidate.uid === uid)
    if (!connector) throw new Error('Connector not found.')
    return connector
  }

  /** Asks the wallet to be on the required chain, adding the chain to it if need be. */
  async function switchToRequiredChain(): Promise<void> {
    if (getConnection(config).chainId === required.id) return
    await switchChain(config, { chainId: required.id })
  }

  return {
    /**
     * The wallets on offer: those that announced themselves. The first connector, window.ethereum, is one of them
     * under another name, so it is offered only where nothing announced itself (wallet apps with a browser inside).
     */
    choices(): WalletChoice[] {
      const [first, ...announced] = config.connectors
      const generic = first && announced.length === 0 && 'ethereum' in window ? [first] : []
      return [...announced, ...generic].map(({ uid, name, icon }) => ({ uid, name, icon }))
    },

    /** Follows wallets that announce themselves late. */
    watchChoices(listener: () => void): () => void {
      return config._internal.connectors.subscribe(listener)
    },

    /** Connects and switches to the required chain. @returns the address. */
    async connect(uid: string): Promise<Address> {
      const { accounts } = await connect(config, { connector: connectorOf(uid), chainId: required.id })
      return accounts[0]
    },

    async disconnect(): Promise<void> {
      await disconnect(config)
    },

    switchToRequiredChain,

    /** Signs a text (personal_sign). */
    signMessage(message: string): Promise<Hex> {
      return signMessage(config, { message })
    },

    /** Sends a transaction on the required chain. @returns its hash, as soon as the wallet has sent it. */
    async sendTransaction({ to, data, value }: { to: string; data?: string; value?: bigint }): Promise<Hash> {
      await switchToRequiredChain()
      return sendTransaction(config, {
        chainId: required.id,
        to: to as Address,
        ...(data === undefined ? {} : { data: data as Hex }),
        ...(value === undefined ? {} : { value }),
      })
    },

    /**
     * Waits until a transaction, or the one that the wallet sent in its place, stands in a block. @returns whether it
     * succeeded there: not where it was reverted, nor where the wallet's user cancelled it.
     */
    async waitForTransaction(hash: Hash, { confirmations = 1 }: { confirmations?: number } = {}): Promise<boolean> {
      let cancelled = false
      const onReplaced = ({ reason }: { reason: string }) => {
        cancelled = reason === 'cancelled'
      }
      // viem's own, since wagmi's throws where a transaction was reverted, as it does where the node does not answer.
      const client = config.getClient({ chainId: required.id })
      const receipt = await waitForTransactionReceipt(client, { hash, confirmations, timeout: 0, onReplaced })
      return receipt.status === 'success' && !cancelled
    },

    /** What the wallet itself holds, in base units: of a token, or of the native coin where `token` is null. */
    async readBalance(token: string | null): Promise<bigint> {
      const address = connectedAddress()
      if (token === null) return (await getBalance(config, { chainId: required.id, address })).value
      return readContract(config, {
        chainId: required.id,
        address: token as Address,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [address],
      })
    },

    /** What a unit of gas costs now, in base units of the native coin: for estimates of the network fee. */
    readGasPrice(): Promise<bigint> {
      return getGasPrice(config, { chainId: required.id })
    },

    /** How much of a token `spender` may take, in base units. */
    readAllowance({ token, spender }: { token: string; spender: string }): Promise<bigint> {
      return readContract(config, {
        chainId: required.id,
        address: token as Address,
        abi: erc20Abi,
        functionName: 'allowance',
        args: [connectedAddress(), spender as Address],
      })
    },

    /** Approves `spender` for exactly `units` of a token, never more. @returns the hash of the approval. */
    async approveExact({ token, spender, units }: { token: string; spender: string; units: bigint }): Promise<Hash> {
      await switchToRequiredChain()
      return writeContract(config, {
        chainId: required.id,
        address: token as Address,
        abi: erc20Abi,
        functionName: 'approve',
        args: [spender as Address, units],
      })
    },
  }

  function connectedAddress(): Address {
    const { address } = getConnection(config)
    if (!address) throw new Error('Connector not connected.')
    return address
  }
}

/**
 * Waits until the stored state has been read, which `createConfig` begins; what reconnects before that would be
 * overwritten. (Reading it again is no way: by then the initial state has been stored over it.)
 */
function rehydrated({ _internal }: { _internal: { store: unknown } }): Promise<void> {
  const { persist } = _internal.store as { persist: Persist }
  return new Promise((resolve) => {
    if (persist.hasHydrated()) resolve()
    else persist.onFinishHydration(() => resolve())
  })
}

/** What zustand's `persist` adds to wagmi's store; wagmi's types leave it out. */
interface Persist {
  hasHydrated(): boolean
  onFinishHydration(listener: () => void): () => void
}

function chainOf(chain: Config['chain']) {
  return defineChain({
    id: chain.id,
    name: chain.name,
    nativeCurrency: chain.native,
    rpcUrls: { default: { http: [chain.rpc_url] } },
    ...(chain.explorer_url ? { blockExplorers: { default: { name: chain.name, url: chain.explorer_url } } } : {}),
  })
}

function transport(url: string | undefined) {
  return http(url, {
    timeout: RPC_TIMEOUT_MS,
    retryCount: RPC_RETRY_COUNT,
    retryDelay: RPC_RETRY_DELAY_MS,
    batch: { batchSize: RPC_BATCH_SIZE },
  })
}

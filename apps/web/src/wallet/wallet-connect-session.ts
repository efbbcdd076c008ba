import type { UniversalProvider } from '@walletconnect/universal-provider'
import { type Address, type EIP1193Provider, numberToHex, UserRejectedRequestError, withTimeout } from 'viem'
import { checkedAddress } from './guarded-provider.ts'
import type { WalletConnectSite } from './wallet-connect-provider.ts'

/** Requests to a WalletConnect wallet. Other methods of specification §7 are handled on this device. */
const METHODS = ['personal_sign', 'eth_sendTransaction', 'eth_signTypedData_v4']
const EVENTS = ['accountsChanged', 'chainChanged']

/** The error's name where no pairing succeeded; see `walletErrorText`. */
const RELAY_ERROR = 'RelayError'

const METHOD_NOT_FOUND = -32601
/** The time limit of a disconnection, in milliseconds. Without the relay the wallet learns of it later. */
const LEAVE_TIMEOUT_MS = 1_000

export interface WalletConnectChain {
  readonly id: number
  readonly rpcUrl: string | undefined
}

export type WalletConnectProvider = InstanceType<typeof UniversalProvider>

/** The session with a wallet on another device. Loads WalletConnect's code at the first use. */
export class WalletConnectSession {
  readonly #site: WalletConnectSite
  readonly #chain: WalletConnectChain
  readonly #requests = new WeakMap<WalletConnectProvider, EIP1193Provider>()
  #opening: Promise<WalletConnectProvider> | undefined
  #abandon: (() => void) | undefined

  constructor(site: WalletConnectSite, chain: WalletConnectChain) {
    this.#site = site
    this.#chain = chain
  }

  /** The chain in the spelling of CAIP-2. */
  get caipChain(): string {
    return `eip155:${this.#chain.id}`
  }

  /** @param onOpen receives the provider once, when it is first opened. */
  open(onOpen: (provider: WalletConnectProvider) => void): Promise<WalletConnectProvider> {
    this.#opening ??= import('./wallet-connect-provider.ts')
      .then(({ openWalletConnect }) => openWalletConnect(this.#site))
      .then((provider) => {
        onOpen(provider)
        return provider
      })
      .catch((error: unknown) => {
        this.#opening = undefined
        throw error
      })
    return this.#opening
  }

  /** The wallet's accounts on the required chain. */
  accountsOf({ session }: WalletConnectProvider): Address[] {
    const all = Object.values(session?.namespaces ?? {}).flatMap(({ accounts }) => accounts)
    const here = all.filter((account) => account.startsWith(`${this.caipChain}:`))
    return [...new Set(here.map((account) => checkedAddress(account.split(':')[2])))]
  }

  /** Shows a new pairing and waits until a wallet accepts it. */
  async pair(provider: WalletConnectProvider, onUri: (uri: string) => void): Promise<void> {
    this.#abandon?.()
    const abandoned = new Promise<never>((_, reject) => {
      this.#abandon = () => reject(new UserRejectedRequestError(new Error('The pairing was abandoned.')))
    })
    const { id, rpcUrl } = this.#chain
    const rpcMap = rpcUrl === undefined ? {} : { rpcMap: { [id]: rpcUrl } }
    provider.on('display_uri', onUri)
    try {
      const eip155 = { chains: [this.caipChain], methods: METHODS, events: EVENTS, ...rpcMap }
      await Promise.race([provider.connect({ optionalNamespaces: { eip155 } }), abandoned])
    } catch (error) {
      // A wallet that rejects gives a code; every other error is between this device and the relay.
      if (typeof error === 'object' && error !== null && 'code' in error) throw error
      throw Object.assign(new Error('The relay was not reached.', { cause: error }), { name: RELAY_ERROR })
    } finally {
      this.#abandon = undefined
      provider.off('display_uri', onUri)
    }
  }

  /** Stops waiting for a wallet to accept the pairing. */
  abandonPairing(): void {
    this.#abandon?.()
  }

  async leave(provider: WalletConnectProvider): Promise<void> {
    if (!provider.session) return
    await withTimeout(() => provider.disconnect(), { timeout: LEAVE_TIMEOUT_MS }).catch(() => {})
  }

  /** The provider as EIP-1193. Every request names the required chain. */
  requestsOf(provider: WalletConnectProvider): EIP1193Provider {
    const known = this.#requests.get(provider)
    if (known) return known
    const made = {
      request: async ({ method, params }: { method: string; params?: unknown[] }): Promise<unknown> => {
        if (method === 'eth_chainId') return numberToHex(this.#chain.id)
        if (method === 'eth_accounts') return this.accountsOf(provider)
        if (METHODS.includes(method) && isGranted(provider, method))
          return provider.request({ method, params }, this.caipChain)
        throw Object.assign(new Error(`${method} is not asked of a wallet`), { code: METHOD_NOT_FOUND })
      },
      on() {},
      removeListener() {},
    } as unknown as EIP1193Provider
    this.#requests.set(provider, made)
    return made
  }
}

/** Typed data needs a session that grants it. Older sessions and some wallets do not. */
function isGranted({ session }: WalletConnectProvider, method: string): boolean {
  if (method !== 'eth_signTypedData_v4') return true
  return Object.values(session?.namespaces ?? {}).some(({ methods }) => methods.includes(method))
}

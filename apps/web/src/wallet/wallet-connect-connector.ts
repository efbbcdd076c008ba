import type { UniversalProvider } from '@walletconnect/universal-provider'
import { type Address, type EIP1193Provider, numberToHex, UserRejectedRequestError, withTimeout } from 'viem'
import { createConnector } from 'wagmi'
import { checkedAddress } from './wallet-address.ts'
import type { WalletConnectSite } from './wallet-connect-provider.ts'

export const WALLET_CONNECT_ID = 'walletConnect'

/** The message by which the connector tells what to show as a QR code. */
export const PAIRING_URI = 'pairing_uri'

/** What a WalletConnect wallet is asked for; the rest of specification §7 is answered here. */
const METHODS = ['personal_sign', 'eth_sendTransaction', 'eth_signTypedData_v4']
const EVENTS = ['accountsChanged', 'chainChanged']

/** The name of the error where no pairing came about; see `walletErrorText`. */
const RELAY_ERROR = 'RelayError'

const METHOD_NOT_FOUND = -32601
const UNKNOWN_CHAIN = 4902
/** How long a disconnection waits for the relay: the wallet learns of it later where the relay is away. */
const GOODBYE_LIMIT_MS = 1_000

interface Chain {
  readonly id: number
  readonly rpcUrl: string | undefined
}

/** The parts of WalletConnect's provider that are used. */
type Provider = InstanceType<typeof UniversalProvider>

/**
 * A wallet on another device, through WalletConnect. Every request names the chain it is for, so a connection is always
 * on the required chain. WalletConnect's code is loaded when the wallet is chosen, or a session of it is stored.
 */
export function walletConnectConnector(site: WalletConnectSite, chain: Chain) {
  const caipChain = `eip155:${chain.id}`
  let opening: Promise<Provider> | undefined
  let abandon: (() => void) | undefined

  function open(onOpen: (provider: Provider) => void): Promise<Provider> {
    opening ??= import('./wallet-connect-provider.ts')
      .then(({ openWalletConnect }) => openWalletConnect(site))
      .then((provider) => {
        onOpen(provider)
        return provider
      })
      .catch((error: unknown) => {
        opening = undefined
        throw error
      })
    return opening
  }

  function accountsOf({ session }: Provider): Address[] {
    const all = Object.values(session?.namespaces ?? {}).flatMap(({ accounts }) => accounts)
    const here = all.filter((account) => account.startsWith(`${caipChain}:`))
    return [...new Set(here.map((account) => checkedAddress(account.split(':')[2])))]
  }

  /** Shows a new pairing and waits until a wallet took it up. */
  async function pair(provider: Provider, onUri: (uri: string) => void): Promise<void> {
    abandon?.()
    const abandoned = new Promise<never>((_, reject) => {
      abandon = () => reject(new UserRejectedRequestError(new Error('The pairing was given up.')))
    })
    provider.on('display_uri', onUri)
    try {
      const session = provider.connect({
        optionalNamespaces: {
          eip155: {
            chains: [caipChain],
            methods: METHODS,
            events: EVENTS,
            ...(chain.rpcUrl === undefined ? {} : { rpcMap: { [chain.id]: chain.rpcUrl } }),
          },
        },
      })
      await Promise.race([session, abandoned])
    } catch (error) {
      // A wallet that refuses says so by a code; all else is between here and the relay.
      if (typeof error === 'object' && error !== null && 'code' in error) throw error
      throw Object.assign(new Error('The relay was not reached.', { cause: error }), { name: RELAY_ERROR })
    } finally {
      abandon = undefined
      provider.off('display_uri', onUri)
    }
  }

  /** Typed data is asked only of a session that grants it: an older one, or a lesser wallet, is asked in another way. */
  function isGranted({ session }: Provider, method: string): boolean {
    if (method !== 'eth_signTypedData_v4') return true
    return Object.values(session?.namespaces ?? {}).some(({ methods }) => methods.includes(method))
  }

  async function leave(provider: Provider): Promise<void> {
    if (!provider.session) return
    await withTimeout(() => provider.disconnect(), { timeout: GOODBYE_LIMIT_MS }).catch(() => {})
  }

  return createConnector<EIP1193Provider, { cancelPairing(): void }>((config) => {
    const asProvider = new WeakMap<Provider, EIP1193Provider>()

    /** Follows the wallet: it may end the session, change its accounts, or let the session expire. */
    function follow(provider: Provider): void {
      const isConnected = () => config.emitter.listenerCount('change') > 0
      const end = () => {
        if (isConnected()) config.emitter.emit('disconnect')
      }
      const accountsMayDiffer = (first?: string) => {
        if (!isConnected()) return
        const accounts = accountsOf(provider).sort((a) => (a.toLowerCase() === first?.toLowerCase() ? -1 : 0))
        if (accounts.length === 0) end()
        else config.emitter.emit('change', { accounts })
      }
      provider.on('disconnect', end)
      provider.on('session_update', () => accountsMayDiffer())
      provider.on('accountsChanged', ([first]: string[]) => accountsMayDiffer(first))
      provider.client.on('session_expire', ({ topic }) => {
        if (topic !== provider.session?.topic) return
        // The provider itself does not notice.
        Object.assign(provider, { session: undefined })
        end()
      })
    }

    return {
      id: WALLET_CONNECT_ID,
      name: 'WalletConnect',
      type: 'walletConnect',

      async connect({ isReconnecting } = {}) {
        const provider = await open(follow)
        if (!provider.session && !isReconnecting)
          await pair(provider, (data) => config.emitter.emit('message', { type: PAIRING_URI, data }))
        const accounts = accountsOf(provider)
        if (accounts.length === 0) {
          await leave(provider)
          throw Object.assign(new Error(`The wallet has no account on ${caipChain}.`), { code: UNKNOWN_CHAIN })
        }
        return { accounts, chainId: chain.id } as never
      },

      /** The user went away before a wallet took up the pairing. */
      cancelPairing() {
        abandon?.()
      },

      async disconnect() {
        await leave(await open(follow))
      },

      async getAccounts() {
        return accountsOf(await open(follow))
      },

      async getChainId() {
        return chain.id
      },

      async isAuthorized() {
        return accountsOf(await open(follow)).length > 0
      },

      async switchChain({ chainId }) {
        const wanted = config.chains.find(({ id }) => id === chainId && id === chain.id)
        if (!wanted) throw Object.assign(new Error('Chain not configured.'), { code: UNKNOWN_CHAIN })
        return wanted
      },

      async getProvider() {
        const provider = await open(follow)
        const known = asProvider.get(provider)
        if (known) return known
        const made = {
          async request({ method, params }: { method: string; params?: unknown[] }): Promise<unknown> {
            if (method === 'eth_chainId') return numberToHex(chain.id)
            if (method === 'eth_accounts') return accountsOf(provider)
            if (METHODS.includes(method) && isGranted(provider, method))
              return provider.request({ method, params }, caipChain)
            throw Object.assign(new Error(`${method} is not asked of a wallet`), { code: METHOD_NOT_FOUND })
          },
          on() {},
          removeListener() {},
        } as unknown as EIP1193Provider
        asProvider.set(provider, made)
        return made
      },

      onAccountsChanged() {},
      onChainChanged() {},
      onDisconnect() {},
    }
  })
}

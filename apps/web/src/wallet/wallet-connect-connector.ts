import type { EIP1193Provider } from 'viem'
import { createConnector } from 'wagmi'
import type { WalletConnectSite } from './wallet-connect-provider.ts'
import { type WalletConnectChain, type WalletConnectProvider, WalletConnectSession } from './wallet-connect-session.ts'

export const WALLET_CONNECT_ID = 'walletConnect'

/** The connector's message with the text of the QR code. */
export const PAIRING_URI = 'pairing_uri'

const UNKNOWN_CHAIN = 4902

/**
 * A wallet on another device, through WalletConnect. Every request names its chain, so a connection is always on the
 * required chain. WalletConnect's code loads when the wallet is chosen, or a session of it is stored.
 */
export function walletConnectConnector(site: WalletConnectSite, chain: WalletConnectChain) {
  const session = new WalletConnectSession(site, chain)

  return createConnector<EIP1193Provider, { cancelPairing(): void }>(({ emitter, chains }) => {
    const open = () => session.open((provider) => followWallet(provider, { session, emitter }))
    return {
      id: WALLET_CONNECT_ID,
      name: 'WalletConnect',
      type: 'walletConnect',

      async connect({ isReconnecting } = {}) {
        const provider = await open()
        if (!provider.session && !isReconnecting)
          await session.pair(provider, (data) => emitter.emit('message', { type: PAIRING_URI, data }))
        const accounts = session.accountsOf(provider)
        if (accounts.length === 0) {
          await session.leave(provider)
          throw Object.assign(new Error(`The wallet has no account on ${session.caipChain}.`), { code: UNKNOWN_CHAIN })
        }
        return { accounts, chainId: chain.id } as never
      },

      /** The user left before a wallet accepted the pairing. */
      cancelPairing: () => session.abandonPairing(),

      disconnect: async () => session.leave(await open()),

      getAccounts: async () => session.accountsOf(await open()),

      getChainId: async () => chain.id,

      isAuthorized: async () => session.accountsOf(await open()).length > 0,

      async switchChain({ chainId }) {
        const wanted = chains.find(({ id }) => id === chainId && id === chain.id)
        if (!wanted) throw Object.assign(new Error('Chain not configured.'), { code: UNKNOWN_CHAIN })
        return wanted
      },

      getProvider: async () => session.requestsOf(await open()),

      onAccountsChanged() {},
      onChainChanged() {},
      onDisconnect() {},
    }
  })
}

/** The part of wagmi's emitter that reports a change of the connection. */
interface ConnectionEmitter {
  emit(event: 'disconnect'): void
  emit(event: 'change', data: { accounts: readonly `0x${string}`[] }): void
  listenerCount(event: 'change'): number
}

/** Reports the wallet's changes: it may end the session, change its accounts, or let the session expire. */
function followWallet(
  provider: WalletConnectProvider,
  { session, emitter }: { session: WalletConnectSession; emitter: ConnectionEmitter },
): void {
  const isConnected = () => emitter.listenerCount('change') > 0
  const end = () => {
    if (isConnected()) emitter.emit('disconnect')
  }
  const reportAccounts = (first?: string) => {
    if (!isConnected()) return
    const accounts = session.accountsOf(provider).sort((a) => (a.toLowerCase() === first?.toLowerCase() ? -1 : 0))
    if (accounts.length === 0) end()
    else emitter.emit('change', { accounts })
  }
  provider.on('disconnect', end)
  provider.on('session_update', () => reportAccounts())
  provider.on('accountsChanged', ([first]: string[]) => reportAccounts(first))
  provider.client.on('session_expire', ({ topic }) => {
    if (topic !== provider.session?.topic) return
    // The provider itself does not notice.
    Object.assign(provider, { session: undefined })
    end()
  })
}

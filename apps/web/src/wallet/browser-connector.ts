import { UserRejectedRequestError } from 'viem'
import { type CreateConnectorFn, createConnector, injected, SwitchChainNotSupportedError } from 'wagmi'
import { m } from '../generated/messages.ts'
import { type AnnouncedWallet, windowProvider } from './browser-wallets.ts'
import { checkedAddress, guardedProvider } from './guarded-provider.ts'
import { causes } from './wallet-error.ts'

/** Codes of a method that a wallet does not have. */
const NOT_SUPPORTED_CODES = [4200, -32601, -32004]

/**
 * A wallet in this browser as a wagmi connector: one that announced itself, or the one at `window.ethereum`.
 * Four things differ from wagmi's own `injected`:
 *
 * - A wallet never connects itself: wagmi connects one that emits `connect` or `accountsChanged`, even after the user
 *   disconnected it, and forgets that they did.
 * - A chain switch that fails counts as a refusal (specification §4), so that nothing goes on on another chain.
 * - A wallet without an account is not connected.
 * - The wallet is asked for nothing but what the product needs: see `guardedProvider`.
 */
export function browserConnector(wallet?: AnnouncedWallet): CreateConnectorFn {
  const target = wallet
    ? { ...wallet, icon: wallet.icon as string, provider: guardedProvider(wallet.provider) }
    : {
        id: 'injected',
        name: 'Injected',
        provider: () => {
          const provider = windowProvider()
          return provider && guardedProvider(provider)
        },
      }
  return createConnector((config) => {
    const wagmis = injected({ target: target as never })(config)
    return {
      ...wagmis,
      async setup() {},

      async connect(parameters) {
        const connection = await wagmis.connect.call(this, parameters)
        if (connection.accounts.length === 0) throw new Error(m.session_invalid_account())
        return connection as never
      },

      async switchChain(parameters) {
        try {
          return await wagmis.switchChain!.call(this, parameters)
        } catch (error) {
          if (error instanceof UserRejectedRequestError) throw error
          if (isNotSupported(error)) throw new SwitchChainNotSupportedError({ connector: this as never })
          throw new UserRejectedRequestError(error as Error)
        }
      },

      onConnect() {},

      onAccountsChanged(accounts) {
        const isConnected = config.emitter.listenerCount('change') > 0
        if (!isConnected) return
        try {
          if (accounts.length === 0) throw new Error(m.session_invalid_account())
          config.emitter.emit('change', { accounts: accounts.map(checkedAddress) })
        } catch {
          // Without a valid account, the connection cannot continue.
          void this.onDisconnect()
        }
      },
    }
  })
}

function isNotSupported(error: unknown): boolean {
  return causes(error).some((cause) => 'code' in cause && NOT_SUPPORTED_CODES.includes(cause.code as number))
}

import { type Address, erc20Abi, type Hash, type Hex } from 'viem'
import { waitForTransactionReceipt } from 'viem/actions'
import type { Connector } from 'wagmi'
import {
  connect,
  disconnect,
  getBalance,
  getConnection,
  getConnectorClient,
  getGasPrice,
  readContract,
  sendTransaction,
  signMessage,
  switchChain,
  watchConnection,
  writeContract,
} from 'wagmi/actions'
import { holdPage } from '../account/busy-guard.ts'
import type { Config } from '../api/config.ts'
import { m } from '../generated/paraglide/messages.js'
import { followStoredConnection, resumeConnection } from './resume-connection.ts'
import { createWalletConfig } from './wallet-config.ts'
import { PAIRING_URI, WALLET_CONNECT_ID } from './wallet-connect-connector.ts'
import { hasStoredConnection, walletStore } from './wallet-store.ts'
import { watchWindowProvider, windowProvider } from './window-provider.ts'

/** A wallet that the user can choose. */
export interface WalletChoice {
  readonly uid: string
  readonly name: string
  /** A data: URI, as EIP-6963 demands. */
  readonly icon: string | undefined
  /** `announced` by itself, `generic` whatever sits at window.ethereum, `elsewhere` on another device. */
  readonly kind: 'announced' | 'generic' | 'elsewhere'
}

/** What can be done with a wallet. Every method rejects with the wallet's error; see `walletErrorText`. */
export type WalletCore = Awaited<ReturnType<typeof startWalletCore>>

/** Loaded on demand, through `wallet()` alone. */
export async function startWalletCore(profile: Config) {
  const { chain: required } = profile
  if (profile.profile === 'local') {
    const { announceDemoWallet } = await import('./demo-wallet/demo-wallet.ts')
    announceDemoWallet({ chainId: required.id, rpcUrl: required.rpc_url })
  }
  const own = await createWalletConfig(profile)
  const { config } = own

  watchConnection(config, { onChange: publish })
  if (hasStoredConnection()) await resumeConnection(own)
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

  /** Sends something on the required chain, once the wallet itself says that it is there. */
  function onRequiredChain<Result>(send: () => Promise<Result>): Promise<Result> {
    const work = async () => {
      await switchToRequiredChain()
      await getConnectorClient(config, { chainId: required.id })
      return send()
    }
    return holdPage(work())
  }

  return {
    /**
     * The wallets on offer: those that announced themselves, then those elsewhere. The first connector, window.ethereum,
     * is one of the announced under another name, so it is offered only where nothing announced itself (wallet apps with
     * a browser inside).
     */
    choices(): WalletChoice[] {
      const [first, ...others] = config.connectors
      const elsewhere = others.filter(({ id }) => id === WALLET_CONNECT_ID)
      const announced = others.filter(({ id }) => id !== WALLET_CONNECT_ID)
      const generic = first && announced.length === 0 && windowProvider() ? [first] : []
      const choice = (kind: WalletChoice['kind']) => (connector: Connector) => {
        const { uid, name, icon } = connector
        return { uid, name: kind === 'generic' ? m.connector_generic() : name, icon, kind }
      }
      return [
        ...announced.map(choice('announced')),
        ...generic.map(choice('generic')),
        ...elsewhere.map(choice('elsewhere')),
      ]
    },

    /** Follows wallets that appear late. */
    watchChoices(listener: () => void): () => void {
      const stops = [config._internal.connectors.subscribe(listener), watchWindowProvider(listener)]
      return () => {
        for (const stop of stops) stop()
      }
    },

    /**
     * Connects and switches to the required chain.
     *
     * @param onPairing is told what to show as a QR code, where the wallet is on another device.
     * @returns the address.
     */
    async connect(uid: string, onPairing: (uri: string) => void = () => {}): Promise<Address> {
      const connector = connectorOf(uid)
      const hear = ({ type, data }: { type: string; data?: unknown }) => {
        if (type === PAIRING_URI) onPairing(data as string)
      }
      connector.emitter.on('message', hear)
      try {
        const { accounts } = await connect(config, { connector, chainId: required.id })
        return accounts[0]
      } finally {
        connector.emitter.off('message', hear)
      }
    },

    /** Gives up a connection to a wallet on another device that has not come about yet. */
    cancelPairing(): void {
      for (const connector of config.connectors) (connector as { cancelPairing?: () => void }).cancelPairing?.()
    },

    /** Disconnects every wallet. Each is flagged, so that none of them comes back by itself. */
    async disconnect(): Promise<void> {
      while (config.state.current !== null) await disconnect(config)
    },

    /** Another tab changed the stored connection. */
    followOtherTab(): Promise<void> {
      return followStoredConnection(own)
    },

    switchToRequiredChain,

    /** Signs a text (personal_sign) with this very account, which must be one of the connection's. */
    signMessage({ message, account }: { message: string; account: string }): Promise<Hex> {
      return holdPage(signMessage(config, { message, account: account as Address }))
    },

    /** Sends a transaction on the required chain. @returns its hash, as soon as the wallet has sent it. */
    sendTransaction({ to, data, value }: { to: string; data?: string; value?: bigint }): Promise<Hash> {
      return onRequiredChain(() =>
        sendTransaction(config, {
          chainId: required.id,
          to: to as Address,
          ...(data === undefined ? {} : { data: data as Hex }),
          ...(value === undefined ? {} : { value }),
        }),
      )
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
    approveExact({ token, spender, units }: { token: string; spender: string; units: bigint }): Promise<Hash> {
      return onRequiredChain(() =>
        writeContract(config, {
          chainId: required.id,
          address: token as Address,
          abi: erc20Abi,
          functionName: 'approve',
          args: [spender as Address, units],
        }),
      )
    },
  }

  function connectedAddress(): Address {
    const { address } = getConnection(config)
    if (!address) throw new Error('Connector not connected.')
    return address
  }
}

import type { Address } from 'viem'
import type { Connector, Config as WagmiConfig } from 'wagmi'
import { connect, disconnect } from 'wagmi/actions'
import { m } from '../generated/messages.ts'
import { watchWindowProvider, windowProvider } from './browser-wallets.ts'
import type { RequiredChain } from './chain-reads.ts'
import { PAIRING_URI, WALLET_CONNECT_ID } from './wallet-connect-connector.ts'

/** A wallet that the user can choose. */
export interface WalletChoice {
  readonly uid: string
  readonly name: string
  /** A data: URI, as EIP-6963 demands. */
  readonly icon: string | undefined
  /** `announced`: by EIP-6963. `generic`: at window.ethereum. `elsewhere`: on another device. */
  readonly kind: 'announced' | 'generic' | 'elsewhere'
}

/** The choice of a wallet, its connection and its disconnection. */
export function walletChoices({ config, chainId }: RequiredChain) {
  return {
    /**
     * The wallets on offer: announced ones first, then those on other devices. The first connector, window.ethereum, is
     * one of the announced wallets under another name, so it is offered only where no wallet announced itself (wallet
     * apps with their own browser).
     */
    choices(): WalletChoice[] {
      const [first, ...others] = config.connectors
      const elsewhere = others.filter(({ id }) => id === WALLET_CONNECT_ID)
      const announced = others.filter(({ id }) => id !== WALLET_CONNECT_ID)
      const generic = first && announced.length === 0 && windowProvider() ? [first] : []
      return [
        ...announced.map((connector) => choiceOf(connector, 'announced')),
        ...generic.map((connector) => choiceOf(connector, 'generic')),
        ...elsewhere.map((connector) => choiceOf(connector, 'elsewhere')),
      ]
    },

    /** Reports wallets that appear late. */
    watchChoices(listener: () => void): () => void {
      const stops = [config._internal.connectors.subscribe(listener), watchWindowProvider(listener)]
      return () => {
        for (const stop of stops) stop()
      }
    },

    /**
     * Connects and switches to the required chain.
     *
     * @param onPairing receives the text of the QR code, where the wallet is on another device.
     * @returns the address.
     */
    async connect(uid: string, onPairing: (uri: string) => void = () => {}): Promise<Address> {
      const connector = connectorOf(config, uid)
      const onMessage = ({ type, data }: { type: string; data?: unknown }) => {
        if (type === PAIRING_URI) onPairing(data as string)
      }
      connector.emitter.on('message', onMessage)
      try {
        const { accounts } = await connect(config, { connector, chainId })
        return accounts[0]
      } finally {
        connector.emitter.off('message', onMessage)
      }
    },

    /** Abandons a pairing with a wallet on another device that is not connected yet. */
    cancelPairing(): void {
      for (const connector of config.connectors) (connector as { cancelPairing?: () => void }).cancelPairing?.()
    },

    /** Disconnects every wallet. Each is flagged, so none reconnects automatically. */
    async disconnect(): Promise<void> {
      while (config.state.current !== null) await disconnect(config)
    },
  }
}

function choiceOf({ uid, name, icon }: Connector, kind: WalletChoice['kind']): WalletChoice {
  return { uid, name: kind === 'generic' ? m.connector_generic() : name, icon, kind }
}

function connectorOf(config: WagmiConfig, uid: string): Connector {
  const connector = config.connectors.find((candidate) => candidate.uid === uid)
  if (!connector) throw new Error('Connector not found.')
  return connector
}

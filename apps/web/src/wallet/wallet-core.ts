import { type Address, encodeFunctionData, erc20Abi, type Hex, type TypedDataDomain } from 'viem'
import { estimateGas, getBlock, getBlockNumber } from 'viem/actions'
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
  signTypedData,
  switchChain,
  watchConnection,
} from 'wagmi/actions'
import type { Config } from '../api/config.ts'
import { blockReloadWhile } from '../browser/page-reload.ts'
import { m } from '../generated/paraglide/messages.js'
import { callDigest, followTransaction } from './follow-transaction.ts'
import { checkedPermit, permitToSign, readPermitDomain, type SignedPermit } from './permit.ts'
import { followStoredConnection, resumeConnection } from './resume-connection.ts'
import type { ChainCall, SentTransaction, TransactionOutcome } from './sent-transaction.ts'
import { POLLING_INTERVAL_MS } from './transport.ts'
import { vaultCalls } from './vault-calls.ts'
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
    return blockReloadWhile(work())
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
      return blockReloadWhile(signMessage(config, { message, account: account as Address }))
    },

    /** Sends a transaction on the required chain. @returns it, as soon as the wallet has sent it. */
    sendTransaction(call: { to: string; data?: string; value?: bigint }): Promise<SentTransaction> {
      return send(call)
    },

    /**
     * Waits until a transaction, or what the wallet sent in its place, stands in a block, and says what became of it.
     * It may have been sent before this page was loaded. Asks the wallet for nothing.
     */
    follow(sent: SentTransaction, onChange: (known: SentTransaction) => void): Promise<TransactionOutcome> {
      return followTransaction(client(), sent, { onChange, pollMs: POLLING_INTERVAL_MS })
    },

    /**
     * What a call would take of gas now, in the native coin's base units: asked of the node, not of the wallet.
     *
     * @throws what the chain would say to it, such as one of the vault's errors (`vaultRevert`), or that there is too
     * little of the native coin.
     */
    async estimateFee({ to, data, value }: ChainCall): Promise<bigint> {
      const account = connectedAddress()
      const gas = estimateGas(client(), { account, to: to as Address, data: data as Hex, value })
      const price = getGasPrice(config, { chainId: required.id })
      return (await gas) * (await price)
    },

    /** The newest block's timestamp, in seconds: the clock that a deadline goes by. */
    async readChainTime(): Promise<bigint> {
      return (await getBlock(client())).timestamp
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

    approvalCall,

    vaultCalls,

    /** Approves `spender` for exactly `units` of a token, never more. @returns the approval, once the wallet sent it. */
    approveExact(approval: { token: string; spender: string; units: bigint }): Promise<SentTransaction> {
      return send(approvalCall(approval))
    },

    /** How this token's permit is signed (EIP-2612); `undefined` where the token or the account takes none. */
    readPermitDomain(token: string): Promise<TypedDataDomain | undefined> {
      const owner = connectedAddress()
      return readPermitDomain(client(), { token: token as Address, owner, chainId: required.id })
    },

    /**
     * Asks the wallet to sign that `spender` may take exactly `units` of a token, once, within 30 minutes.
     *
     * @returns `undefined` where what it signed is no signature of the account's own key.
     */
    signPermit(permit: { domain: TypedDataDomain; spender: string; units: bigint }): Promise<SignedPermit | undefined> {
      const { domain, spender, units } = permit
      return onRequiredChain(async () => {
        const owner = connectedAddress()
        const typedData = await permitToSign(client(), { domain, owner, spender: spender as Address, units })
        return checkedPermit(typedData, await signTypedData(config, { account: owner, ...typedData }))
      })
    },
  }

  /** The call that approves `spender` for exactly `units` of a token. */
  function approvalCall({ token, spender, units }: { token: string; spender: string; units: bigint }): ChainCall {
    const args = [spender as Address, units] as const
    return { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }), value: 0n }
  }

  function client() {
    return config.getClient({ chainId: required.id })
  }

  function send({ to, data = '0x', value = 0n }: { to: string; data?: string; value?: bigint }) {
    return onRequiredChain(async (): Promise<SentTransaction> => {
      const from = connectedAddress()
      // Where the node does not say it, the wallet is asked all the same: only a replacement is found less well.
      const since = getBlockNumber(client(), { cacheTime: 0 }).then(String, () => undefined)
      const hash = await sendTransaction(config, {
        chainId: required.id,
        to: to as Address,
        ...(data === '0x' ? {} : { data: data as Hex }),
        ...(value === 0n ? {} : { value }),
      })
      return { hash, from, since: await since, call: callDigest({ to, data, value }) }
    })
  }

  function connectedAddress(): Address {
    const { address } = getConnection(config)
    if (!address) throw new Error('Connector not connected.')
    return address
  }
}

import { type Address, erc20Abi, type Hex, type TypedDataDomain } from 'viem'
import { estimateGas, getBlock } from 'viem/actions'
import type { Config as WagmiConfig } from 'wagmi'
import { getBalance, getConnection, getGasPrice, readContract } from 'wagmi/actions'
import { followTransaction } from './follow-transaction.ts'
import { readPermitDomain } from './permit.ts'
import type { ChainCall, SentTransaction, TransactionOutcome } from './sent-transaction.ts'
import { POLLING_INTERVAL_MS } from './transport.ts'

/** wagmi, and the chain that the configuration requires. */
export interface RequiredChain {
  readonly config: WagmiConfig
  readonly chainId: number
}

/** Reads of the required chain for the connected account. They ask the chain's node, never the wallet. */
export function chainReads(chain: RequiredChain) {
  const { config, chainId } = chain
  return {
    /**
     * Waits until a transaction, or its replacement by the wallet, is in a block, and reports the outcome. Works for a
     * transaction that was sent before this page was loaded.
     */
    follow(sent: SentTransaction, onChange: (known: SentTransaction) => void): Promise<TransactionOutcome> {
      return followTransaction(nodeOf(chain), sent, { onChange, pollMs: POLLING_INTERVAL_MS })
    },

    /**
     * The gas of a call at the current price, in the native coin's base units.
     *
     * @throws the chain's objection to the call, such as one of the vault's errors (`vaultRevert`) or too little of the
     * native coin.
     */
    async estimateFee({ to, data, value }: ChainCall): Promise<bigint> {
      const account = connectedAddress(chain)
      const gas = estimateGas(nodeOf(chain), { account, to: to as Address, data: data as Hex, value })
      const price = getGasPrice(config, { chainId })
      return (await gas) * (await price)
    },

    /** The newest block's timestamp, in seconds: the clock of the vault's deadlines. */
    async readChainTime(): Promise<bigint> {
      return (await getBlock(nodeOf(chain))).timestamp
    },

    /** The wallet's own balance, in base units: of a token, or of the native coin where `token` is null. */
    async readBalance(token: string | null): Promise<bigint> {
      const address = connectedAddress(chain)
      if (token === null) return (await getBalance(config, { chainId, address })).value
      const call = { chainId, address: token as Address, abi: erc20Abi } as const
      return readContract(config, { ...call, functionName: 'balanceOf', args: [address] })
    },

    /** The current price of a unit of gas, in base units of the native coin. */
    readGasPrice(): Promise<bigint> {
      return getGasPrice(config, { chainId })
    },

    /** How much of a token `spender` may take, in base units. */
    readAllowance({ token, spender }: { token: string; spender: string }): Promise<bigint> {
      const call = { chainId, address: token as Address, abi: erc20Abi } as const
      const args = [connectedAddress(chain), spender as Address] as const
      return readContract(config, { ...call, functionName: 'allowance', args })
    },

    /** The domain of this token's permit (EIP-2612); `undefined` where the token or the account supports none. */
    readPermitDomain(token: string): Promise<TypedDataDomain | undefined> {
      return readPermitDomain(nodeOf(chain), { token: token as Address, owner: connectedAddress(chain), chainId })
    },
  }
}

/** @throws Error where no wallet is connected. */
export function connectedAddress({ config }: RequiredChain): Address {
  const { address } = getConnection(config)
  if (!address) throw new Error('Connector not connected.')
  return address
}

/** A client of the chain's node. */
export function nodeOf({ config, chainId }: RequiredChain) {
  return config.getClient({ chainId })
}

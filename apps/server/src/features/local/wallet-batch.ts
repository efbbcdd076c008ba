import type { AssetId } from '@clearwell/money/asset'
import { testTokenAbi } from '@clearwell/vault/abi/test-token'
import {
  createTestClient,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  type Hex,
  http,
  type PrivateKeyAccount,
  parseEther,
  publicActions,
  walletActions,
} from 'viem'
import type { Custody } from '../../platform/chain/chain.ts'

/** For the fees of payments. */
const GAS_MONEY = parseEther('0.1')
/** More than any of the calls takes: an estimate would need the call before to be mined. */
const GAS_LIMIT = 300_000n
const MAX_FEE = 20_000_000_000n
/** The block's gas limit has room for more. */
const CALLS_PER_BLOCK = 80

/** A call that a wallet signs and sends. */
export interface WalletCall {
  readonly account: PrivateKeyAccount
  readonly to: Hex
  readonly data: Hex
  readonly value: bigint
}

/** Money for a wallet, in the asset's base units on the chain. */
export interface Gift {
  readonly address: Hex
  readonly asset: AssetId
  readonly units: bigint
}

/** Many wallets of the local chain at a time: each block takes the transactions of dozens of them. */
export interface WalletBatch {
  /** Gives play money. */
  give(gifts: readonly Gift[]): Promise<void>
  /** Has each wallet sign and send its calls, in their order, and waits until all are confirmed. */
  send(calls: readonly WalletCall[]): Promise<void>
}

/** The chain that wallets pay on. */
export interface BatchChain {
  readonly rpcUrl: string
  readonly chainId: number
  readonly confirmations: number
  readonly custody: Custody
}

export function createWalletBatch(chain: BatchChain): WalletBatch {
  const connection = connect(chain)
  const { client } = connection
  const { operator } = chain.custody

  /** Holds the chain's blocks back, so that one takes all transactions of a batch. */
  async function inBatches<Item>(items: readonly Item[], send: (batch: readonly Item[]) => Promise<readonly Hex[]>) {
    await client.setAutomine(false)
    try {
      for (let from = 0; from < items.length; from += CALLS_PER_BLOCK)
        await mine(await send(items.slice(from, from + CALLS_PER_BLOCK)))
    } finally {
      await client.setAutomine(true)
    }
  }

  async function mine(hashes: readonly Hex[]): Promise<void> {
    await client.mine({ blocks: chain.confirmations })
    const receipts = await Promise.all(hashes.map((hash) => client.getTransactionReceipt({ hash })))
    const failed = receipts.find(({ status }) => status !== 'success')
    if (failed) throw new Error(`transaction ${failed.transactionHash} of a simulated wallet failed`)
  }

  return {
    async give(gifts) {
      await giveCoins(connection, gifts)
      const minted = gifts.filter(({ asset }) => asset !== 'BNB')
      if (minted.length === 0) return
      await client.impersonateAccount({ address: operator as Hex })
      await inBatches(minted, (batch) => mint(connection, batch))
      await client.stopImpersonatingAccount({ address: operator as Hex })
    },
    send: (calls) => inBatches(calls, (batch) => signAndSend(connection, batch)),
  }
}

type Connection = ReturnType<typeof connect>

function connect({ rpcUrl, chainId, custody }: BatchChain) {
  const definition = defineChain({
    id: chainId,
    name: 'local',
    nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  // Requests of one moment share a round trip.
  const transport = http(rpcUrl, { batch: { batchSize: 200 } })
  const client = createTestClient({ chain: definition, mode: 'anvil', transport })
    .extend(publicActions)
    .extend(walletActions)
  const operator = createWalletClient({ account: custody.operator as Hex, chain: definition, transport })
  return { client, operator, chainId, tokens: custody.tokens }
}

async function mint({ client, operator, tokens }: Connection, gifts: readonly Gift[]): Promise<Hex[]> {
  const first = await client.getTransactionCount({ address: operator.account.address })
  return Promise.all(
    gifts.map(({ address, asset, units }, index) => {
      const token = tokens.find((each) => each.asset === asset)
      if (!token) throw new Error(`${asset} has no contract`)
      const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [address, units] })
      return operator.sendTransaction({ to: token.address, data, nonce: first + index, gas: GAS_LIMIT })
    }),
  )
}

async function giveCoins({ client }: Connection, gifts: readonly Gift[]): Promise<void> {
  const units = new Map<Hex, bigint>()
  for (const { address, asset, units: more } of gifts)
    units.set(address, (units.get(address) ?? GAS_MONEY) + (asset === 'BNB' ? more : 0n))
  await Promise.all(
    [...units].map(async ([address, more]) =>
      client.setBalance({ address, value: (await client.getBalance({ address })) + more }),
    ),
  )
}

async function signAndSend({ client, chainId }: Connection, calls: readonly WalletCall[]): Promise<Hex[]> {
  const addresses = [...new Set(calls.map(({ account }) => account.address))]
  const counts = await Promise.all(addresses.map((address) => client.getTransactionCount({ address })))
  const nonces = new Map(addresses.map((address, index) => [address, counts[index] ?? 0]))
  const signed = calls.map(({ account, to, data, value }) => {
    const nonce = nonces.get(account.address) ?? 0
    nonces.set(account.address, nonce + 1)
    const fees = { gas: GAS_LIMIT, maxFeePerGas: MAX_FEE, maxPriorityFeePerGas: 1n, type: 'eip1559' } as const
    return account.signTransaction({ to, data, value, nonce, chainId, ...fees })
  })
  return Promise.all(
    signed.map(async (transaction) => client.sendRawTransaction({ serializedTransaction: await transaction })),
  )
}

import type { AssetId } from '@clearwell/money/asset'
import type { Custody } from '@clearwell/server/src/platform/chain/chain.ts'
import { testTokenAbi } from '@clearwell/vault/abi/test-token'
import {
  createTestClient,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  type PrivateKeyAccount,
  parseEther,
  publicActions,
  walletActions,
} from 'viem'

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

/** The call by which a wallet lets the spender take so much of a token. */
export function approval({
  account,
  token,
  spender,
  units,
}: {
  readonly account: PrivateKeyAccount
  readonly token: Hex
  readonly spender: Hex
  readonly units: bigint
}): WalletCall {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, units] })
  return { account, to: token, data, value: 0n }
}

/** Money for a wallet, in the asset's base units on the chain. */
export interface Gift {
  readonly address: Hex
  readonly asset: AssetId
  readonly units: bigint
}

/** Many wallets of the local chain at a time: each block takes the transactions of dozens of them. */
export interface WalletBatch {
  /**
   * Has each wallet sign and send its calls, in their order, and waits until all are confirmed.
   *
   * @param gifts play money that the wallets receive before.
   */
  send(calls: readonly WalletCall[], gifts?: readonly Gift[]): Promise<void>
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
  const { client, control } = connection
  const { operator } = chain.custody

  /** Mines a block for so many transactions, and returns those of the last one, which may have room for more. */
  async function sendAll<Item>(
    items: readonly Item[],
    waiting: readonly Hex[],
    send: (batch: readonly Item[]) => Promise<readonly Hex[]>,
  ): Promise<readonly Hex[]> {
    let unmined = waiting
    for (let from = 0; from < items.length; ) {
      const batch = items.slice(from, from + CALLS_PER_BLOCK - unmined.length)
      unmined = [...unmined, ...(await send(batch))]
      from += batch.length
      if (unmined.length < CALLS_PER_BLOCK) continue
      await mine(unmined)
      unmined = []
    }
    return unmined
  }

  async function mine(hashes: readonly Hex[]): Promise<void> {
    await control.mine({ blocks: chain.confirmations })
    const receipts = await Promise.all(hashes.map((hash) => client.getTransactionReceipt({ hash })))
    const failed = receipts.find(({ status }) => status !== 'success')
    if (failed) throw new Error(`transaction ${failed.transactionHash} of a simulated wallet failed`)
  }

  async function mintAll(gifts: readonly Gift[]): Promise<readonly Hex[]> {
    const minted = gifts.filter(({ asset }) => asset !== 'BNB')
    if (minted.length === 0) return []
    await control.impersonateAccount({ address: operator as Hex })
    const unmined = await sendAll(minted, [], (batch) => mint(connection, batch))
    await control.stopImpersonatingAccount({ address: operator as Hex })
    return unmined
  }

  return {
    async send(calls, gifts = []) {
      await giveCoins(connection, gifts)
      // One block takes the transactions of many wallets, in the order in which they were sent: gifts first.
      await control.setAutomine(false)
      try {
        const unmined = await sendAll(calls, await mintAll(gifts), (batch) => signAndSend(connection, batch))
        if (unmined.length > 0) await mine(unmined)
      } finally {
        await control.setAutomine(true)
      }
    },
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
  // Requests of one moment share a round trip, which delays each a little. Those that follow one another use `control`.
  const transport = http(rpcUrl, { batch: { batchSize: 200 } })
  const client = createTestClient({ chain: definition, mode: 'anvil', transport })
    .extend(publicActions)
    .extend(walletActions)
  const control = createTestClient({ chain: definition, mode: 'anvil', transport: http(rpcUrl) })
  const operator = createWalletClient({ account: custody.operator as Hex, chain: definition, transport })
  return { client, control, operator, chainId, tokens: custody.tokens }
}

async function mint({ client, operator, tokens }: Connection, gifts: readonly Gift[]): Promise<Hex[]> {
  const first = await client.getTransactionCount({ address: operator.account.address })
  return Promise.all(
    gifts.map(({ address, asset, units }, index) => {
      const token = tokens.find((each) => each.asset === asset)
      if (!token) throw new Error(`${asset} has no contract`)
      const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [address, units] })
      return operator.sendTransaction({ to: token.address, data, nonce: first + index, gas: GAS_LIMIT, chain: null })
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

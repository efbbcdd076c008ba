import type { ResponseOf } from '@clearwell/api/routes'
import { encodeFunctionData, erc20Abi, type Hex, parseUnits, type TransactionReceipt } from 'viem'
import type { LocalAccount } from 'viem/accounts'
import type { controlChain } from '../../../platform/chain/testing/local-chain.ts'
import type { TestServer, TestUser } from '../../../testing/server.ts'

export const CONFIRMATIONS = 2
export const DECIMALS = { BNB: 18, USDT: 6, ETH: 18 } as const

export type Order = ResponseOf<'sell'>
type OnChain = keyof typeof DECIMALS
/** A wallet, of a user or not. */
type Payer = { readonly account: LocalAccount }

/** The server that the tests of transfers share. Its watcher polls only on request, so that tests see the states in between. */
export interface WalletWorld {
  readonly server: TestServer
  readonly control: ReturnType<typeof controlChain>
}

/** Mines blocks and reads them. */
export async function mineAndPoll({ server, control }: WalletWorld, blocks = CONFIRMATIONS - 1): Promise<void> {
  await control.mine(blocks)
  await server.watcher.poll()
}

/** Sends a transaction from a wallet. Returns its receipt, even if it failed. */
export async function send(
  { control }: WalletWorld,
  { account }: Payer,
  call: { to: Hex; data?: Hex; value?: bigint },
): Promise<TransactionReceipt> {
  const wallet = control.wallet(account)
  return control.receipt(await wallet.sendTransaction({ gas: 500_000n, ...call, account, chain: wallet.chain }))
}

/** A plain transfer to the vault, without an order. */
export async function transferToVault(
  world: WalletWorld,
  user: Payer,
  asset: OnChain,
  amount: string,
): Promise<TransactionReceipt> {
  const { vault, tokens } = world.server.custody
  const units = parseUnits(amount, DECIMALS[asset])
  const token = tokens.find((each) => each.asset === asset)?.address
  if (!token) return send(world, user, { to: vault, value: units })
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [vault, units] })
  return send(world, user, { to: token, data })
}

/** Creates a user with funds. */
export async function newFundedUser(world: WalletWorld, amounts: Partial<Record<OnChain, string>>): Promise<TestUser> {
  const user = await world.server.newUser()
  for (const [asset, amount] of Object.entries(amounts)) await transferToVault(world, user, asset as OnChain, amount)
  await mineAndPoll(world, CONFIRMATIONS)
  return user
}

/** Submits a voucher from a wallet. */
export const submit = (world: WalletWorld, from: Payer, order: Order) =>
  send(world, from, { to: order.to as Hex, data: order.calldata as Hex })

export const sell = ({ server }: WalletWorld, { token }: TestUser, asset: OnChain, amount: string, key?: string) =>
  server.ok('sell', { asset, amount }, { token, ...(key ? { key } : {}) })

export const trySell = (
  { server }: WalletWorld,
  { token }: TestUser,
  asset: OnChain | 'RT',
  amount: string,
  key?: string,
) => server.call('sell', { asset, amount }, { token, ...(key ? { key } : {}) })

/** The user's transfers out, newest first. */
export const ordersOut = async ({ server }: WalletWorld, { token }: TestUser) =>
  (await server.ok('sellOrders', { limit: 100 }, { token })).items

/** The user's transfer in with this id. */
export async function orderIn({ server }: WalletWorld, { token }: TestUser, orderId: string) {
  const { items } = await server.ok('buyOrders', { limit: 100 }, { token })
  return items.find((item) => item.order_id === orderId)
}

export async function balancePartsOf({ server }: WalletWorld, { token }: TestUser, asset: string) {
  const found = (await server.ok('balances', {}, { token })).find((each) => each.asset === asset)
  return { available: found?.available, locked: found?.locked, total: found?.total }
}

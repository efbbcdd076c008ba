import { createHash } from 'node:crypto'
import { CODES } from '@clearwell/api/codes'
import { createPublicClient, createWalletClient, defineChain, erc20Abi, http, parseUnits } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { CallRefused, call, type LocalApi, signIn } from './local-account.ts'

const SWAPS_PER_DAY = 3
const DAY_S = 86_400

interface SeedContext extends LocalApi {
  readonly rpcUrl: string
  readonly chainId: number
}

interface SeededUser {
  readonly account: PrivateKeyAccount
  readonly token: string
}

/**
 * Fills in activity through the very calls that users make: wallets that really sign, payments on the local chain,
 * activation, swaps; the clock moves on from day to day. The same seed makes the same users and the same choices.
 */
export async function seedActivity(
  context: SeedContext,
  { users, days, seed }: { users: number; days: number; seed: number },
): Promise<{ users: number; swaps: number }> {
  const choose = chooser(seed)
  const joined: SeededUser[] = []
  for (let index = 0; index < users; index++) {
    const inviter = joined.length > 0 && choose(3) > 0 ? joined[choose(joined.length)] : undefined
    joined.push(await join(context, seed, index, inviter))
  }
  let swaps = 0
  for (let day = 0; day < days; day++) {
    for (let turn = 0; turn < joined.length * SWAPS_PER_DAY; turn++) {
      const user = joined[choose(joined.length)]
      if (user && (await swapSomething(context, user, choose))) swaps++
      const seconds = Math.max(1, Math.floor(DAY_S / (joined.length * SWAPS_PER_DAY)))
      await call(context, 'localAdvance', { seconds })
    }
  }
  return { users: joined.length, swaps }
}

async function join(
  context: SeedContext,
  seed: number,
  index: number,
  inviter: SeededUser | undefined,
): Promise<SeededUser> {
  const key = createHash('sha256').update(`clearwell seed ${seed} user ${index}`).digest('hex')
  const account = privateKeyToAccount(`0x${key}`)
  const { address } = account
  const pid = inviter && (await call(context, 'userinfo', {}, inviter.token)).invite_code
  const { token, user } = await signIn(context, account, pid)
  const joined = { account, token }
  if (user.activated) return joined
  await call(context, 'localFaucet', { address })
  await transferIn(context, joined, 'USDT', '8000')
  await transferIn(context, joined, 'BNB', '8')
  await call(context, 'activeByBalance', {}, token)
  return joined
}

async function transferIn(
  context: SeedContext,
  { account, token }: SeededUser,
  asset: 'USDT' | 'BNB',
  amount: string,
): Promise<void> {
  const chain = defineChain({
    id: context.chainId,
    name: 'local',
    nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
    rpcUrls: { default: { http: [context.rpcUrl] } },
  })
  const client = createPublicClient({ chain, transport: http(), pollingInterval: 50 })
  const wallet = createWalletClient({ account, chain, transport: http() })
  const order = await call(context, 'buy', { asset, amount }, token)
  const to = order.to as `0x${string}`
  const listed = (await call(context, 'config', {})).assets.find((each) => each.asset === asset)
  if (listed?.address) {
    const units = parseUnits(order.amount, listed.decimals)
    const address = listed.address as `0x${string}`
    const hash = await wallet.writeContract({ address, abi: erc20Abi, functionName: 'approve', args: [to, units] })
    await client.waitForTransactionReceipt({ hash })
  }
  const hash = await wallet.sendTransaction({ to, data: order.calldata as `0x${string}`, value: BigInt(order.value) })
  await client.waitForTransactionReceipt({ hash })
  // On this chain a block is only made for a transaction, or where time moves on.
  while ((await call(context, 'retrieve', { tx_hash: hash }, token)).status === 'pending') {
    await call(context, 'localAdvance', { seconds: 1 })
  }
}

async function swapSomething(
  context: SeedContext,
  { token }: SeededUser,
  choose: (below: number) => number,
): Promise<boolean> {
  const pairs = (await call(context, 'pairs', {})).filter((each) => !each.suspended)
  const pair = pairs[choose(pairs.length)]
  if (!pair) return false
  const inverse = choose(2) === 0 ? 0 : 1
  const sold = inverse === 0 ? pair.base : pair.quote
  const balance = (await call(context, 'balances', {}, token)).find((each) => each.asset === sold)
  const [whole = '0'] = (balance?.available ?? '0').split('.')
  // Whole units are enough for play money: a part of the balance, at least one.
  const amount = (BigInt(whole) * BigInt(choose(20) + 5)) / 100n
  if (amount === 0n) return false
  const time = (await call(context, 'config', {})).time
  const payload = {
    pool_id: pair.id,
    amount: amount.toString(),
    inverse,
    min_amount_out: '0',
    deadline: new Date(new Date(time).getTime() + 600_000).toISOString(),
  } as const
  try {
    await call(context, 'doSwap', payload, token)
    return true
  } catch (error) {
    // Seldom: the pool would be pushed too far from the market, or was stopped in this moment.
    if (error instanceof CallRefused && error.code === CODES.trading_suspended.code) return false
    throw error
  }
}

/** Choices that depend on the seed alone. */
function chooser(seed: number): (below: number) => number {
  let step = 0
  return (below) => createHash('sha256').update(`choice ${seed} ${step++}`).digest().readUInt32BE() % below
}

import { parseEther } from 'viem'
import { poolAccount } from '../platform/ledger/accounts.ts'
import type { TestServer, TestUser } from './server.ts'

/** An activated user with 490 USDT and 2 BNB available. */
export async function newTrader(server: TestServer, options: { pid?: string } = {}): Promise<TestUser> {
  const user = await server.newUser(options)
  await user.transferIn('USDT', '500')
  await user.transferIn('BNB', '2')
  await user.activateByBalance()
  return user
}

export interface SwapRequest {
  pool_id?: string
  amount: string
  inverse?: 0 | 1
  exact?: 'in' | 'out'
  min_amount_out?: string
  max_amount_in?: string
  deadline?: string
}

/** A complete payload of `doSwap`: accepts any price and expires in ten minutes. */
export async function swapPayload(server: TestServer, { pool_id = 'bnb-usdt', inverse = 0, ...request }: SwapRequest) {
  const limit = request.exact === 'out' ? { max_amount_in: '1000000' } : { min_amount_out: '0' }
  const { time } = await server.ok('config', {})
  const deadline = new Date(new Date(time).getTime() + 600_000).toISOString()
  return { pool_id, inverse, deadline, ...limit, ...request }
}

export const swap = async (server: TestServer, user: TestUser, request: SwapRequest) =>
  server.ok('doSwap', await swapPayload(server, request), { token: user.token })

export const trySwap = async (server: TestServer, user: TestUser, request: SwapRequest) =>
  server.call('doSwap', await swapPayload(server, request), { token: user.token })

/** A pool's reserves in the ledger. */
export async function reservesOf(server: TestServer, poolId = 'bnb-usdt') {
  const [base = '', quote = ''] = poolId.toUpperCase().split('-')
  const rows = await server.db.query<{ asset: string; units: bigint }>(
    'select asset, units from balances where account = $1',
    [poolAccount(poolId)],
  )
  const units = (asset: string) => rows.find((row) => row.asset === asset)?.units ?? 0n
  return { base: units(base), quote: units(quote) }
}

export async function pairOf(server: TestServer, poolId: string) {
  const pair = (await server.ok('pairs', {})).find((each) => each.id === poolId)
  if (!pair) throw new Error(`${poolId} is not listed`)
  return pair
}

export const units = (text: string | undefined): bigint => parseEther(text ?? '')

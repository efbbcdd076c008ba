import { erc20Abi, type Hex, parseEther } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { controlChain } from '../../../platform/chain/testing/local-chain.ts'
import { requestSigned } from '../../../testing/operate.ts'
import type { TestUser } from '../../../testing/server.ts'
import { newTrader, pairOf, reservesOf, swap, trySwap, units } from '../../../testing/traders.ts'
import { changePoolByOperator } from '../change-pool.ts'
import type { SwapWorld } from './swap-world.ts'

// Suspending and resuming is decided in change-pool.test.ts, the reach of a swap in pool-guard.test.ts.
const HOUR_S = 3_600
const SUSPENDED = { status: 200, code: 20005, msg: 'Trading suspended', data: { reason: 'price_deviation' } }
/** Owns the test tokens. */
const OPERATOR = mnemonicToAccount('test test test test test test test test test test test junk')

/** Tests what a large trader, the market and the operator do to a pool. It ends with a suspended BNB/USDT. */
export function testSuspension(world: SwapWorld): void {
  let user: TestUser
  beforeAll(async () => {
    user = await newTrader(world.server)
    const { rpcUrl, config, custody } = world.server
    const control = controlChain({ rpcUrl, chainId: config.chain.id })
    const wallet = control.wallet(OPERATOR)
    const address = custody.tokens.find(({ asset }) => asset === 'USDT')?.address as Hex
    const args = [user.account.address, parseEther('1000000')] as const
    const transfer = { address, abi: erc20Abi, functionName: 'transfer', args, account: OPERATOR } as const
    await control.receipt(await wallet.writeContract({ ...transfer, chain: wallet.chain }))
    await user.transferIn('USDT', '1000000')
  })

  /** Sets the spot price of BNB and checks the pools. */
  const spot = (price: string) => world.server.ok('localPrice', { symbol: 'BNBUSDT', price })
  const advance = (seconds: number) => world.server.ok('localAdvance', { seconds })
  const bnb = () => pairOf(world.server, 'bnb-usdt')
  /** Requests a change as the command line does beside a running server. */
  async function operator(kind: 'suspended' | 'resumed', detail: string) {
    const payload = { pool: 'bnb-usdt', kind, detail } as const
    await requestSigned(world.server, changePoolByOperator, payload)
    await advance(1)
  }

  const allEvents = async () =>
    (
      await world.server.db.query<{ kind: string; changed_by: string }>(
        'select kind, changed_by from pool_events order by at, id',
      )
    ).map(({ kind, changed_by }) => `${kind} by ${changed_by}`)
  let eventsBefore = 0
  beforeEach(async () => {
    eventsBefore = (await allEvents()).length
  })
  /** Those of the test that runs. */
  const events = async () => (await allEvents()).slice(eventsBefore)

  describe('a swap that would push the pool beyond its limit', () => {
    test('rejects the quote and the swap, and keeps the pool open', async () => {
      await spot('620')
      const before = await reservesOf(world.server)
      // 5,000 BNB and 3,100,000 USDT: 300,000 USDT more take the price up by a fifth.
      const far = { amount: '300000', inverse: 1 } as const
      expect(await trySwap(world.server, user, far)).toMatchObject(SUSPENDED)
      expect(await world.server.call('getQuote', { pool_id: 'bnb-usdt', ...far })).toMatchObject(SUSPENDED)
      const exactOut = { amount: '500', inverse: 1, exact: 'out' } as const
      expect(await trySwap(world.server, user, exactOut)).toMatchObject(SUSPENDED)
      expect(await world.server.call('getQuote', { pool_id: 'bnb-usdt', ...exactOut })).toMatchObject(SUSPENDED)
      expect(await reservesOf(world.server)).toEqual(before)
      expect(await bnb()).toMatchObject({ suspended: false, suspended_reason: null, suspended_at: null })
      expect(await swap(world.server, user, { amount: '100000', inverse: 1 })).toMatchObject({ status: 'completed' })
      // Small steps do not reach farther.
      expect(await trySwap(world.server, user, { amount: '100000', inverse: 1 })).toMatchObject(SUSPENDED)
      expect(await events()).toEqual([])
      expect(world.server.errors).toEqual([])
    })

    test('limits a pool without a spot price to 30% per hour', async () => {
      const order = { pool_id: 'rt-usdt', amount: '130000', inverse: 1 } as const
      expect(await swap(world.server, user, order)).toMatchObject({ status: 'completed' })
      await advance(1)
      expect(units((await pairOf(world.server, 'rt-usdt')).price)).toBeGreaterThan(units('0.127'))
      expect(await trySwap(world.server, user, order)).toMatchObject(SUSPENDED)
      await advance(HOUR_S + 120)
      expect(await swap(world.server, user, order)).toMatchObject({ status: 'completed' })
      expect(world.server.errors).toEqual([])
    })
  })

  /**
   * @attack R17 A jump of the market closed a pool for everyone, also for the swaps that would have brought it back.
   * @holds No price suspends a pool: swaps toward the market are made, swaps away from it are rejected.
   */
  test('a pool that the market left behind trades only toward it', async () => {
    await spot('800')
    expect(await bnb()).toMatchObject({ suspended: false, suspended_reason: null, suspended_at: null })
    expect(await trySwap(world.server, user, { amount: '0.1' })).toMatchObject(SUSPENDED)
    expect(await world.server.call('getQuote', { pool_id: 'bnb-usdt', amount: '0.1', inverse: 0 })).toMatchObject(
      SUSPENDED,
    )
    // 660 to 681: nearer to 720, where the band begins, but not inside yet.
    expect(await swap(world.server, user, { amount: '50000', inverse: 1 })).toMatchObject({ status: 'completed' })
    expect(units((await bnb()).price)).toBeLessThan(units('720'))
    expect(await swap(world.server, user, { amount: '150000', inverse: 1 })).toMatchObject({ status: 'completed' })
    expect(await swap(world.server, user, { amount: '0.01' })).toMatchObject({ status: 'completed' })
    expect(await events()).toEqual([])
    expect(world.server.errors).toEqual([])
  })

  describe('the operator', () => {
    test('suspends and resumes a pool, which nothing else resumes', async () => {
      await operator('suspended', 'a migration of tokens')
      expect(await bnb()).toMatchObject({ suspended: true, suspended_reason: 'operator' })
      expect(await trySwap(world.server, user, { amount: '0.1' })).toMatchObject({
        code: 20005,
        data: { reason: 'operator' },
      })
      await advance(HOUR_S)
      expect((await bnb()).suspended).toBe(true)
      await operator('resumed', 'done')
      expect((await bnb()).suspended).toBe(false)
      await spot('745')
      expect(await swap(world.server, user, { amount: '0.1' })).toMatchObject({ status: 'completed' })
      await advance(1)
      expect(await events()).toEqual(['suspended by operator', 'resumed by operator'])
    })
  })

  test('the database rejects changes to pool events', async () => {
    expect(await allEvents()).not.toEqual([])
    for (const change of ['update pool_events set detail = $1', 'delete from pool_events where id <> $1']) {
      await expect(world.server.db.query(change, [''])).rejects.toThrow(/append_only/)
    }
  })
}

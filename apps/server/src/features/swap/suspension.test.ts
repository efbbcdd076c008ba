import { formatEther } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { localConfigFile } from '../../platform/chain/testing/local-chain.ts'
import { endExact, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'
import { newTrader, pairOf, reservesOf, swap, trySwap, units } from '../../testing/traders.ts'

// Suspending and resuming is decided in change-pool.test.ts, the reach of a swap in pool-guard.test.ts.
const HOUR_S = 3_600
const SUSPENDED = { status: 200, code: 20005, msg: 'Trading suspended', data: { reason: 'price_deviation' } }

let server: TestServer
let file: Awaited<ReturnType<typeof localConfigFile>>
let user: TestUser
beforeAll(async () => {
  file = await localConfigFile((each) => {
    // Small pools, so one user's funds move them. The pools are checked only when the test moves time or prices.
    Object.assign(each.swap.breaker, { checkMs: 3_600_000 })
    for (const pool of each.swap.pools) {
      pool.initialBase = formatEther(units(pool.initialBase) / 1_000n)
      pool.initialQuote = formatEther(units(pool.initialQuote) / 1_000n)
    }
  })
  server = await startTestServer({ CONFIG_FILE: file.path })
  user = await newTrader(server)
  await user.transferIn('USDT', '1000')
}, 60_000)
afterAll(() => endExact(server, { file, mayReport: true }))

/** Sets the spot price of BNB and checks the pools. */
const spot = (price: string) => server.ok('localPrice', { symbol: 'BNBUSDT', price })
const advance = (seconds: number) => server.ok('localAdvance', { seconds })
const bnb = () => pairOf(server, 'bnb-usdt')
/** Requests a change as the command line does beside a running server. */
async function operator(kind: 'suspended' | 'resumed', detail: string) {
  await server.db.query(
    `insert into pool_requests (id, pool_id, kind, detail, asked_at) values ($1, 'bnb-usdt', $2, $3, now())`,
    [`${kind}-${detail}`.replaceAll(' ', '-'), kind, detail],
  )
  await advance(1)
}

const allEvents = async () =>
  (
    await server.db.query<{ kind: string; changed_by: string }>(
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
    const before = await reservesOf(server)
    // 5 BNB and 3,100 USDT: 300 USDT more take the price up by a fifth.
    const far = { amount: '300', inverse: 1 } as const
    expect(await trySwap(server, user, far)).toMatchObject(SUSPENDED)
    expect(await server.call('getQuote', { pool_id: 'bnb-usdt', ...far })).toMatchObject(SUSPENDED)
    const exactOut = { amount: '0.5', inverse: 1, exact: 'out' } as const
    expect(await trySwap(server, user, exactOut)).toMatchObject(SUSPENDED)
    expect(await server.call('getQuote', { pool_id: 'bnb-usdt', ...exactOut })).toMatchObject(SUSPENDED)
    expect(await reservesOf(server)).toEqual(before)
    expect(await bnb()).toMatchObject({ suspended: false, suspended_reason: null, suspended_at: null })
    expect(await swap(server, user, { amount: '100', inverse: 1 })).toMatchObject({ status: 'completed' })
    // Small steps do not reach farther.
    expect(await trySwap(server, user, { amount: '100', inverse: 1 })).toMatchObject(SUSPENDED)
    expect(await events()).toEqual([])
    expect(server.errors).toEqual([])
  })

  test('limits a pool without a spot price to 30 % per hour', async () => {
    const order = { pool_id: 'rt-usdt', amount: '130', inverse: 1 } as const
    expect(await swap(server, user, order)).toMatchObject({ status: 'completed' })
    await advance(1)
    expect(units((await pairOf(server, 'rt-usdt')).price)).toBeGreaterThan(units('0.127'))
    expect(await trySwap(server, user, order)).toMatchObject(SUSPENDED)
    await advance(HOUR_S + 120)
    expect(await swap(server, user, order)).toMatchObject({ status: 'completed' })
    expect(server.errors).toEqual([])
  })
})

/**
 * @attack R17 A jump of the market closed a pool for everyone, also for the swaps that would have brought it back.
 * @holds No price suspends a pool: swaps toward the market are made, swaps away from it are rejected.
 */
test('a pool that the market left behind trades only toward it', async () => {
  await spot('800')
  expect(await bnb()).toMatchObject({ suspended: false, suspended_reason: null, suspended_at: null })
  expect(await trySwap(server, user, { amount: '0.1' })).toMatchObject(SUSPENDED)
  expect(await server.call('getQuote', { pool_id: 'bnb-usdt', amount: '0.1', inverse: 0 })).toMatchObject(SUSPENDED)
  // 660 to 681: nearer to 720, where the band begins, but not inside yet.
  expect(await swap(server, user, { amount: '50', inverse: 1 })).toMatchObject({ status: 'completed' })
  expect(units((await bnb()).price)).toBeLessThan(units('720'))
  expect(await swap(server, user, { amount: '150', inverse: 1 })).toMatchObject({ status: 'completed' })
  expect(await swap(server, user, { amount: '0.01' })).toMatchObject({ status: 'completed' })
  expect(await events()).toEqual([])
  expect(server.errors).toEqual([])
})

describe('the operator', () => {
  test('suspends and resumes a pool, which nothing else resumes', async () => {
    await operator('suspended', 'a migration of tokens')
    expect(await bnb()).toMatchObject({ suspended: true, suspended_reason: 'operator' })
    expect(await trySwap(server, user, { amount: '0.1' })).toMatchObject({ code: 20005, data: { reason: 'operator' } })
    await advance(HOUR_S)
    expect((await bnb()).suspended).toBe(true)
    await operator('resumed', 'done')
    expect((await bnb()).suspended).toBe(false)
    await spot('745')
    expect(await swap(server, user, { amount: '0.1' })).toMatchObject({ status: 'completed' })
    await advance(1)
    expect(await events()).toEqual(['suspended by operator', 'resumed by operator'])
  })

  test('executes each request once, and none for an unknown pool', async () => {
    const ask = (id: string, poolId: string) =>
      server.db.query(
        `insert into pool_requests (id, pool_id, kind, detail, asked_at) values ($1, $2, 'suspended', 'x', now())`,
        [id, poolId],
      )
    await ask('first', 'bnb-usdt')
    await ask('other', 'doge-usdt')
    await advance(1)
    await server.db.query('update pool_requests set done_at = null')
    await advance(1)
    expect(await events()).toEqual(['suspended by operator'])
    const responses = await server.db.query(
      `select key, outcome->'ok'->>'outcome' as outcome from command_outcomes
       where owner = 'operator' and key in ('first', 'other') order by key`,
    )
    expect(responses).toEqual([
      { key: 'first', outcome: 'changed' },
      { key: 'other', outcome: 'unknown_pool' },
    ])
  })
})

test('the database rejects changes to pool events', async () => {
  expect(await allEvents()).not.toEqual([])
  for (const change of ['update pool_events set detail = $1', 'delete from pool_events where id <> $1']) {
    await expect(server.db.query(change, [''])).rejects.toThrow(/append_only/)
  }
})

import { DEMO_VISITOR_KEY } from '@clearwell/api/demo-visitor'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { findLendingFaults } from '@clearwell/server/src/domain/lending/check-lending.ts'
import { expectCustodyExact, localConfigFile } from '@clearwell/server/src/platform/chain/testing/local-chain.ts'
import { endExact, startTestServer, type TestServer } from '@clearwell/server/src/testing/server.ts'
import { type DayFile, verifyDay } from '@clearwell/verify/verify-day'
import { createPublicClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ARBITRAGEUR_ADDRESS } from './arbitrageur.ts'
import { signIn } from './calls.ts'
import { createPeople } from './people.ts'
import { expectPoolsNearMarket } from './testing/expect-pools-near-market.ts'

const DAY_MS = 86_400_000
const DEMO = { users: 7, days: 3, seed: 60 }

const ARBITRAGEUR = ARBITRAGEUR_ADDRESS.toLowerCase()

/** A chain whose USDT has 6 decimals, as on Ethereum: amounts on the chain differ from those in the ledger. */
const changedFile = (confirmations: number) =>
  localConfigFile(({ chain }) => {
    chain.confirmations = confirmations
    chain.tokens.USDT.decimals = 6
  })

let changed: Awaited<ReturnType<typeof changedFile>>
let server: TestServer
beforeAll(async () => {
  changed = await changedFile(3)
  server = await startTestServer({ ARBITRAGE: 'on', CONFIG_FILE: changed.path }, { people: createPeople(DEMO) })
})
afterAll(() => endExact(server, { file: changed }))

const entryTimes = async () =>
  (await server.db.query<{ at: Date }>('select at from entries order by seq')).map(({ at }) => at.getTime())
const tables = async () =>
  server.db.query(
    `select (select count(*) from entries) as entries, (select count(*) from users) as users,
       (select count(*) from deposits) as deposits, (select count(*) from swap_orders) as swaps`,
  )

test('demo data spreads over the past days and ends now', async () => {
  const times = await entryTimes()
  const nowMs = Date.now()
  expect(nowMs - Number(times[0])).toBeGreaterThan(DEMO.days * DAY_MS)
  expect(nowMs - Number(times[0])).toBeLessThan(DEMO.days * DAY_MS + 120_000)
  expect(Math.max(...times)).toBeLessThanOrEqual(nowMs)
  const { time } = await server.ok('config', {})
  expect(Math.abs(new Date(time).getTime() - Date.now())).toBeLessThan(5_000)
  const [days] = await server.db.query<{ count: bigint }>(
    `select count(distinct date_trunc('day', created_at)) as count from swap_orders`,
  )
  expect(days?.count).toBeGreaterThanOrEqual(3n)
  await expectBooksBalanced(server.db)
  await expectCustodyExact(server)
})

test('all simulated users are activated, and the visitor has a history', async () => {
  // With the arbitrageur.
  expect(await server.db.query('select 1 from members where activated_at is not null')).toHaveLength(DEMO.users + 1)
  const { token, user } = await signIn({ app: () => server.app }, privateKeyToAccount(DEMO_VISITOR_KEY))
  expect(user.activated).toBe(true)
  for (const list of ['orders', 'buyOrders', 'sellOrders', 'alerts'] as const)
    expect((await server.ok(list, {}, { token })).items, list).not.toEqual([])
})

test('the lending market is in use, and the visitor takes part', async () => {
  const pools = await server.ok('stakeMarket', {})
  expect(Number(pools.find(({ asset }) => asset === 'USDT')?.utilisation)).toBeGreaterThan(0)
  const { token } = await signIn({ app: () => server.app }, privateKeyToAccount(DEMO_VISITOR_KEY))
  const pledges = await server.ok('pledgeInfo', {}, { token })
  expect(pledges.some(({ total_pledged: amount }) => Number(amount) > 0)).toBe(true)
  expect((await server.ok('stakeOrders', {}, { token })).items).not.toEqual([])
  expect(await findLendingFaults(server.db)).toEqual([])
})

test('the visitor has a team, a star, boxes and a waiting lead', async () => {
  const { token } = await signIn({ app: () => server.app }, privateKeyToAccount(DEMO_VISITOR_KEY))
  const team = await server.ok('teamOverview', {}, { token })
  expect(team).toMatchObject({ direct_activated: 5, total_activated: 6, level: 1 })
  expect(team.earned).not.toEqual([])
  const hub = await server.ok('richOverview', {}, { token })
  expect(hub.star).toBeGreaterThanOrEqual(1)
  expect(Number(hub.collected)).toBeGreaterThan(0)
  const { items } = await server.ok('richChildren', {}, { token })
  expect(items.some(({ request }) => request?.status === 'Requested')).toBe(true)
  const box = await server.ok('boxStatus', {}, { token })
  expect(box).toMatchObject({ can_click: true, clicked: false })
  expect(box.claimable_boxes).toBeGreaterThan(0)
})

test('draws of past days pass the verifier, with the local blocks', async () => {
  const chain = createPublicClient({ transport: http(server.rpcUrl) })
  const readBlock = async (number: number) => {
    const { hash, timestamp } = await chain.getBlock({ blockNumber: BigInt(number) })
    return { hash, time: new Date(Number(timestamp) * 1_000).toISOString() }
  }
  const { items } = await server.ok('boxDays', {})
  const drawn = items.find(({ seed }) => seed !== null)
  const file = await server.app.inject({ url: `/api/BlindBox/day.json?day=${drawn?.day}` })
  expect(await verifyDay(file.json<DayFile>(), { readBlock })).toEqual({
    valid: true,
    findings: [],
    counts: {},
    warnings: [],
  })
})

test('the arbitrageur is an ordinary account that the operator names', async () => {
  const [member] = await server.db.query('select activated_at from members where id = $1', [ARBITRAGEUR])
  expect(member).toMatchObject({ activated_at: expect.any(Date) })
  const deposits = await server.db.query<{ asset: string }>(
    'select asset from deposits where user_id = $1 order by asset',
    [ARBITRAGEUR],
  )
  expect(deposits.map((row) => row.asset)).toEqual(['BNB', 'ETH', 'USDT'])
  const { operator_accounts } = await server.ok('config', {})
  expect(operator_accounts).toContainEqual({ address: ARBITRAGEUR, role: 'arbitrageur' })
})

describe('the arbitrageur', () => {
  test('follows a set price before the call returns', async () => {
    const swapCount = async () =>
      (await server.db.query('select 1 from swap_orders where user_id = $1', [ARBITRAGEUR])).length
    for (const price of ['900', '450', '1200', '620']) {
      const before = await swapCount()
      await server.ok('localPrice', { symbol: 'BNBUSDT', price })
      await expectPoolsNearMarket(server)
      const trades = (await swapCount()) - before
      expect(trades).toBeGreaterThan(0)
      expect(trades).toBeLessThanOrEqual(6)
    }
    // It trades more than any user, and takes no place on the boards.
    const { items } = await server.ok('rankList', { board: 'volume', period: 'all' })
    expect(items).toHaveLength(DEMO.users)
    for (const { address } of items) expect(address.slice(0, 6)).not.toBe(ARBITRAGEUR.slice(0, 6))
  })

  test('follows the market as time passes', async () => {
    for (let day = 0; day < 5; day++) {
      await server.ok('localAdvance', { seconds: 86_400 })
      await expectPoolsNearMarket(server)
    }
  })

  test('signs in again when its session ends', async () => {
    await server.db.query('update sessions set revoked_at = now()')
    await server.ok('localPrice', { symbol: 'ETHUSDT', price: '4000' })
    await expectPoolsNearMarket(server)
  })
})

const activatedCount = async () =>
  (await server.db.query('select 1 from members where activated_at is not null')).length

test('a seed of 3 users and 2 days leaves exact books', async () => {
  const before = new Date((await server.ok('config', {})).time)
  const activatedBefore = await activatedCount()
  const made = await server.ok('localSeed', { users: 3, days: 2, seed: 7 })
  expect(made.users).toBe(3)
  expect(made.swaps).toBeGreaterThan(0)
  expect(new Date(made.time).getTime()).toBeGreaterThanOrEqual(before.getTime() + 2 * DAY_MS)
  const [orders] = await server.db.query<{ count: bigint; days: bigint }>(
    `select count(*) as count, count(distinct date_trunc('day', created_at)) as days
     from swap_orders where user_id <> $1 and created_at >= $2`,
    [ARBITRAGEUR, before],
  )
  expect(orders?.count).toBe(BigInt(made.swaps))
  expect(orders?.days).toBeGreaterThanOrEqual(2n)
  expect(await activatedCount()).toBe(activatedBefore + 3)
  await expectBooksBalanced(server.db)
  await expectCustodyExact(server)
})

test('a repeated seed makes no new users and continues', async () => {
  const users = async () =>
    (await server.db.query('select id from users order by id')).map((row) => JSON.stringify(row))
  const before = await users()
  const made = await server.ok('localSeed', { users: 3, days: 1, seed: 7 })
  expect(made.swaps).toBeGreaterThan(0)
  expect(await users()).toEqual(before)
  await server.ok('localSeed', { users: 1, days: 1, seed: 8 })
  expect(await users()).toHaveLength(before.length + 1)
})

test('a price jump beyond the funds of the arbitrageur suspends no pool', async () => {
  await server.ok('localPrice', { symbol: 'BNBUSDT', price: '1000000' })
  expect((await server.ok('pairs', {})).map((pair) => pair.suspended)).toEqual([false, false, false])
  expect(server.errors).toEqual([])
})

test('a second start with demo data changes nothing', async () => {
  const before = await tables()
  expect(server.errors).toEqual([])
  // The chain starts again without the state of its earlier blocks, which a check at three confirmations would read.
  await changed.remove()
  changed = await changedFile(1)
  server = await server.restart({ CONFIG_FILE: changed.path })
  expect(await tables()).toEqual(before)
  // Of the arbitrageur too: it uses the same account, pays in nothing, and continues.
  await server.ok('localPrice', { symbol: 'BNBUSDT', price: '500' })
  await expectPoolsNearMarket(server)
})

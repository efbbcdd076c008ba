import { DEMO_VISITOR_KEY } from '@clearwell/api/demo-visitor'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { type DayFile, verifyDay } from '@clearwell/verify/verify-day'
import { createPublicClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findLendingFaults } from '../../domain/lending/check-lending.ts'
import { expectCustodyExact } from '../../platform/chain/testing/local-chain.ts'
import { endExact, startTestServer, type TestServer } from '../../testing/server.ts'
import { signIn } from './local-account.ts'
import { expectPoolsNearMarket } from './testing/expect-pools-near-market.ts'

const DAY_MS = 86_400_000
const DEMO = { users: 7, days: 3, seed: 60 }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ ARBITRAGE: 'on' }, { demo: DEMO })
}, 60_000)
afterAll(() => endExact(server))

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

test('a second start with demo data changes nothing', async () => {
  const before = await tables()
  expect(server.errors).toEqual([])
  server = await server.restart()
  expect(await tables()).toEqual(before)
  // Of the arbitrageur too: it uses the same account, pays in nothing, and continues.
  await server.ok('localPrice', { symbol: 'BNBUSDT', price: '500' })
  await expectPoolsNearMarket(server)
})

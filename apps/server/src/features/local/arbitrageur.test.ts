import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endExact, startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ ARBITRAGE: 'on' })
}, 60_000)
afterAll(() => endExact(server))

const pairs = () => server.ok('pairs', {})
const userIds = async () => (await server.db.query<{ id: string }>('select id from users')).map((row) => row.id)
const swapCount = async () => (await server.db.query('select 1 from swap_orders')).length

/** How far the pools are from the market, in basis points. */
async function distances(): Promise<number[]> {
  const far: number[] = []
  for (const { price, spot_symbol: symbol } of await pairs()) {
    if (symbol === null) continue
    const spot = parseEther((await server.ok('spotTicker', { symbol })).price ?? '0')
    far.push(Math.abs(Number(((parseEther(price) - spot) * 10_000n) / spot)))
  }
  return far
}

/** The market moves on by less than a tenth of a per cent while the test looks. */
async function expectNear(): Promise<void> {
  const far = await distances()
  expect(far).toHaveLength(2)
  for (const each of far) expect(each).toBeLessThanOrEqual(110)
  expect((await pairs()).map((pair) => pair.suspended)).toEqual([false, false, false])
}

test('the arbitrageur starts as an ordinary account with pools near the market', async () => {
  await expectNear()
  const [id, ...others] = await userIds()
  expect(others).toEqual([])
  const [member] = await server.db.query('select activated_at from members where id = $1', [id])
  expect(member).toMatchObject({ activated_at: expect.any(Date) })
  const deposits = await server.db.query<{ asset: string }>(
    `select asset from deposits where user_id = $1 order by asset`,
    [id],
  )
  expect(deposits.map((row) => row.asset)).toEqual(['BNB', 'ETH', 'USDT'])
  const traders = await server.db.query<{ user_id: string }>('select distinct user_id from swap_orders')
  for (const { user_id } of traders) expect(user_id).toBe(id)
})

test('a second start reuses the account and pays in nothing', async () => {
  const depositCount = async () => (await server.db.query('select 1 from deposits')).length
  const before = [await userIds(), await depositCount()]
  expect(server.errors).toEqual([])
  server = await server.restart()
  expect([await userIds(), await depositCount()]).toEqual(before)
  await server.ok('localPrice', { symbol: 'BNBUSDT', price: '500' })
  await expectNear()
})

test('the arbitrageur follows a set price before the call returns', async () => {
  for (const price of ['900', '450', '1200', '620']) {
    const before = await swapCount()
    await server.ok('localPrice', { symbol: 'BNBUSDT', price })
    await expectNear()
    const trades = (await swapCount()) - before
    expect(trades).toBeGreaterThan(0)
    expect(trades).toBeLessThanOrEqual(6)
  }
  // It trades more than any user, and takes no place on the boards.
  expect((await server.ok('rankList', { board: 'volume', period: 'all' })).items).toEqual([])
})

test('time that passes is followed too', async () => {
  for (let day = 0; day < 5; day++) {
    await server.ok('localAdvance', { seconds: 86_400 })
    await expectNear()
  }
})

test('the arbitrageur signs in again when its session ends', async () => {
  await server.db.query('update sessions set revoked_at = now()')
  await server.ok('localPrice', { symbol: 'ETHUSDT', price: '4000' })
  await expectNear()
})

test('a price jump beyond its funds suspends no pool', async () => {
  await server.ok('localPrice', { symbol: 'BNBUSDT', price: '1000000' })
  expect((await pairs()).map((pair) => pair.suspended)).toEqual([false, false, false])
  expect(server.errors).toEqual([])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { localConfigFile } from '../../platform/chain/testing/local-chain.ts'
import { DEAD_MARKET } from '../../platform/market-data/testing/dead-market.ts'
import { endExact, newKey, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'
import { newTrader, pairOf, swap, trySwap, units } from '../../testing/traders.ts'

let server: TestServer
let file: Awaited<ReturnType<typeof localConfigFile>>
let user: TestUser
beforeAll(async () => {
  file = await localConfigFile((each) => {
    each.market = DEAD_MARKET
    for (const pool of each.swap.pools) Object.assign(pool, { initialBase: '5', initialQuote: '3100' })
  })
  server = await startTestServer({ CONFIG_FILE: file.path })
  user = await newTrader(server)
})
// The second one is raised when the market has been away for longer, also while the test ends.
const expected = /Binance$|^the price of (BNB|ETH)USDT: no source was read$/
afterAll(() => endExact(server, { file, expected }))

/**
 * @attack S01 With the exchange away, moving one pool set the price of loans, liquidations, alerts and values.
 * @holds While the spot price is unknown, a moved pool changes no price but its own, and a swap moves it by 30% an hour.
 */
test('a moved pool sets no price while the exchange is away', async () => {
  expect(await swap(server, user, { amount: '400', inverse: 1 })).toMatchObject({ status: 'completed' })
  expect(units((await pairOf(server, 'bnb-usdt')).price)).toBeGreaterThan(units('780'))
  const far = { code: 20005, data: { reason: 'price_deviation' } }
  expect(await trySwap(server, user, { amount: '80', inverse: 1 })).toMatchObject(far)

  const unknown = { price: null, change_24h: null, time: null, state: 'unknown', stale: true, sources: [] }
  expect(await server.ok('spotTicker', { symbol: 'BNBUSDT' })).toMatchObject(unknown)
  const session = { token: user.token }
  const balances = await server.ok('balances', {}, session)
  expect(balances.find(({ asset }) => asset === 'BNB')?.value_usdt).toBeNull()
  expect((await server.ok('summary', {}, session)).total_usdt).toBeNull()
  expect((await server.ok('stakeMarket', {})).find(({ asset }) => asset === 'BNB')?.price).toBeNull()

  await server.ok('pledge', { asset: 'USDT', amount: '40' }, session)
  const none = { code: 20011, msg: 'No price is known now. Try again later.' }
  const alert = { symbol: 'BNBUSDT', direction: 'above', price: '900' } as const
  expect(await server.call('setAlert', alert, session)).toMatchObject({ ...none, data: { reason: 'unknown' } })
  const loan = { collateral_asset: 'BNB', collateral_amount: '1', borrow_asset: 'USDT', borrow_amount: '10' } as const
  expect(await server.call('lend', { ...loan, term_days: 7 }, session)).toMatchObject(none)
})

test('a schedule skips its runs and pauses while the price is unknown', async () => {
  const asUser = () => ({ token: user.token, key: newKey() })
  const wish = { pool_id: 'bnb-usdt', inverse: 1, amount: '10', kind: 'schedule', every: 'day', hour: 9 } as const
  const { plan_id } = await server.ok('createPlan', wish, asUser())
  const before = await user.available('USDT')
  await server.ok('localAdvance', { seconds: 4 * 86_400 })
  const { items } = await server.ok('planRuns', { plan_id }, { token: user.token })
  expect(items.map(({ status, reason, amount_out }) => [status, reason, amount_out])).toEqual(
    [1, 2, 3].map(() => ['skipped', 'price_unknown', '0']),
  )
  const { items: plans } = await server.ok('plans', {}, { token: user.token })
  expect(plans[0]).toMatchObject({ plan_id, status: 'paused', reason: 'three_skipped', next_at: null })
  expect(await user.available('USDT')).toBe(before)
})

import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { poolTag } from './order-id.ts'
import { newTrader, pairOf, swap, units } from './testing/traders.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
}, 60_000)
afterAll(async () => {
  try {
    await expectBooksBalanced(server.db)
    expect(server.errors).toEqual([])
  } finally {
    await server.destroy()
  }
})

const now = async () => Date.parse((await server.ok('config', {})).time)

describe('the trades of a pool', () => {
  test('the trades of a pool are empty before the first trade', async () => {
    expect(await server.ok('swapTrades', { pool_id: 'eth-usdt' })).toEqual({ items: [], next_cursor: null })
  })

  test('the trades list is anonymous, newest first, in pages', async () => {
    const [one, other] = [await newTrader(server), await newTrader(server)]
    const made = [
      await swap(server, one, { amount: '0.5' }),
      await swap(server, other, { amount: '100', inverse: 1 }),
      await swap(server, one, { amount: '0.25', inverse: 1, exact: 'out' }),
    ]
    await swap(server, other, { pool_id: 'rt-usdt', amount: '10', inverse: 1 })
    const { items, next_cursor } = await server.ok('swapTrades', { pool_id: 'bnb-usdt' })
    expect(next_cursor).toBeNull()
    expect(items.map(({ side, amount_base, amount_quote }) => [side, amount_base, amount_quote])).toEqual([
      ['buy', made[2]?.amount_out, made[2]?.amount_in],
      ['buy', made[1]?.amount_out, '100'],
      ['sell', '0.5', made[0]?.amount_out],
    ])
    for (const { price, amount_base, amount_quote } of items)
      expect(units(price)).toBe((units(amount_quote) * 10n ** 18n) / units(amount_base))
    const pages: typeof items = []
    let cursor: string | undefined
    do {
      const page = await server.ok('swapTrades', { pool_id: 'bnb-usdt', limit: 1, ...(cursor ? { cursor } : {}) })
      pages.push(...page.items)
      cursor = page.next_cursor ?? undefined
      for (const { transaction_id } of made) expect(cursor).not.toBe(transaction_id)
    } while (cursor)
    expect(pages).toEqual(items)
    const json = JSON.stringify(items)
    for (const text of [one.id, other.id, ...made.map((each) => each.transaction_id)]) expect(json).not.toContain(text)
    expect(new Set(items.map((item) => item.id)).size).toBe(3)
  })

  test('the trades list rejects unknown pools and foreign cursors', async () => {
    expect(await server.call('swapTrades', { pool_id: 'doge-usdt' })).toMatchObject({ status: 404, code: 20009 })
    expect(await server.call('swapTrades', { pool_id: 'bnb-usdt', cursor: 'l0-x' })).toMatchObject({
      status: 400,
      code: 20000,
      data: { fields: { cursor: expect.any(String) } },
    })
  })

  test('the trades of one pool are read backward by primary key', async () => {
    // Enough rows to make a plan that reads and sorts them all more expensive.
    await server.db.query(
      `insert into swap_orders (id, user_id, pool_id, inverse, amount_in, amount_out, fee, created_at)
       select $1 || lpad(to_hex(n), 12, '0') || lpad('', 20, 'a'), 'x', 'eth-usdt', false, 1, 1, 1, 'epoch'
       from generate_series(1, 20000) as n`,
      [poolTag('eth-usdt')],
    )
    await server.db.script('analyze swap_orders')
    const plan = await server.db.query<Record<'QUERY PLAN', string>>(
      `explain select id from swap_orders
       where id >= '${poolTag('bnb-usdt')}' and id < '${poolTag('bnb-usdt')}g' and pool_id = 'bnb-usdt'
         and length(id) = 36 order by id desc limit 21`,
    )
    const text = plan.map((line) => line['QUERY PLAN']).join('\n')
    expect(text).toContain('Index Scan Backward using swap_orders_pkey')
    expect(text).not.toContain('Sort')
    await server.db.query(`delete from swap_orders where user_id = 'x'`)
  })
})

describe('the candles of a pool', () => {
  const kline = (window: { from?: string; to?: string; limit?: number }, interval: '1m' | '1h' = '1m') =>
    server.ok('swapKline', { pool_id: 'eth-usdt', interval, ...window })
  const MINUTE_MS = 60_000

  test('the candles of a pool are empty before the first trade trade', async () => {
    expect(await kline({})).toEqual([])
  })

  test('candles without trades are flat at the last close', async () => {
    const user = await newTrader(server)
    const first = await now()
    await swap(server, user, { pool_id: 'eth-usdt', amount: '10', inverse: 1 })
    await server.ok('localAdvance', { seconds: 600 })
    await swap(server, user, { pool_id: 'eth-usdt', amount: '20', inverse: 1 })
    await server.ok('localAdvance', { seconds: 300 })
    const candles = await kline({ limit: 1000 })
    const end = await now()
    expect(Date.parse(candles[0]?.time ?? '')).toBe(Math.floor(first / MINUTE_MS) * MINUTE_MS)
    expect(end - Date.parse(candles.at(-1)?.time ?? '')).toBeLessThan(2 * MINUTE_MS)
    for (const [index, candle] of candles.entries()) {
      const before = candles[index - 1]
      if (!before) continue
      expect(Date.parse(candle.time) - Date.parse(before.time)).toBe(MINUTE_MS)
      if (candle.volume === '0')
        expect([candle.open, candle.high, candle.low, candle.close]).toEqual(Array(4).fill(before.close))
    }
    expect(candles.filter((candle) => candle.volume !== '0')).toHaveLength(2)
    expect(candles.at(-1)?.close).toBe((await pairOf(server, 'eth-usdt')).price)
  })

  test('candles continue across pages back to the first trade', async () => {
    const all = await kline({ limit: 1000 })
    const pages: typeof all = []
    let to: string | undefined
    for (
      let page = await kline({ limit: 4 });
      page.length > 0;
      page = await kline({ limit: 4, ...(to ? { to } : {}) })
    ) {
      pages.unshift(...page)
      to = page[0]?.time
    }
    expect(pages).toEqual(all)
    const middle = all.slice(3, 9)
    expect(await kline({ from: middle[0]?.time ?? '', to: all[9]?.time ?? '' })).toEqual(middle)
    expect(await kline({ to: all[0]?.time ?? '' })).toEqual([])
  })

  test('candles are flat for days without trades, up to the limit', async () => {
    await server.ok('localAdvance', { seconds: 3 * 86_400 })
    const hours = await kline({ limit: 48 }, '1h')
    expect(hours).toHaveLength(48)
    expect(new Set(hours.map((hour) => hour.close)).size).toBe(1)
    expect(new Set(hours.map((hour) => hour.volume))).toEqual(new Set(['0']))
    // A chart that starts between two trades still has the price.
    const { time } = hours[20] ?? { time: '' }
    expect(await kline({ from: time, limit: 5 }, '1h')).toEqual(hours.slice(-5))
    expect(await kline({ from: time, to: hours[22]?.time ?? '' }, '1h')).toEqual(hours.slice(20, 22))
  })
})

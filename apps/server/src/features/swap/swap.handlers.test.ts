import { quoteExactIn, quoteExactOut } from '@clearwell/rules/swap'
import { formatEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userAccount } from '../../platform/ledger/accounts.ts'
import { endExact, newKey, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'
import {
  newTrader,
  pairOf,
  reservesOf,
  type SwapRequest,
  swap as swapOn,
  swapPayload as swapPayloadOf,
  trySwap as trySwapOn,
  units,
} from '../../testing/traders.ts'
import { poolTag } from './order-id.ts'

// Amounts, fees and refusals are decided in execute-swap.test.ts. Here are input, sessions, keys and lists.
const FEES = { totalBps: 25n, revenueBps: 8n }

let server: TestServer
/** Two activated traders with 490 USDT and 2 BNB each. The second was invited by the first. */
let trader: TestUser
let invited: TestUser
beforeAll(async () => {
  server = await startTestServer()
  trader = await newTrader(server)
  const { invite_code: pid } = await server.ok('userinfo', {}, { token: trader.token })
  invited = await newTrader(server, { pid })
}, 60_000)
afterAll(() => endExact(server))

const swapPayload = (wish: SwapRequest) => swapPayloadOf(server, wish)
const swap = (user: TestUser, wish: SwapRequest) => swapOn(server, user, wish)
const trySwap = (user: TestUser, wish: SwapRequest) => trySwapOn(server, user, wish)
const reserves = () => reservesOf(server)

describe('before the first trade', () => {
  test('trades and candles are empty', async () => {
    expect(await server.ok('swapTrades', { pool_id: 'eth-usdt' })).toEqual({ items: [], next_cursor: null })
    expect(await server.ok('swapKline', { pool_id: 'eth-usdt', interval: '1m' })).toEqual([])
  })

  test('lists pairs in the order of the configuration', { tags: ['§7.14', '§7.15'] }, async () => {
    expect((await server.ok('pairs', {})).map((pair) => pair.symbol)).toEqual(['BNBUSDT', 'ETHUSDT', 'RTUSDT'])
  })

  test('a quote has the mid price, impact, fee and expiry', { tags: ['§3.13', '§7.16'] }, async () => {
    const response = await server.ok('getQuote', { pool_id: 'bnb-usdt', amount: '10', inverse: 0 })
    const exact = quoteExactIn({
      reserves: await reserves(),
      direction: 'base_to_quote',
      amountIn: units('10'),
      fees: FEES,
    })
    expect(response).toMatchObject({
      amount_out: formatEther(exact?.amountOut as bigint),
      amount_out_orginal: formatEther(exact?.amountOutAtMid as bigint),
      price_impact: formatEther(exact?.priceImpactE18 as bigint),
      fee: '0.025',
    })
    expect(units(response.amount_out)).toBeLessThan(units(response.amount_out_orginal))
    expect(Date.parse(response.time)).toBeLessThan(Date.parse(response.expires_at))
    const lastsMs = new Date(response.expires_at).getTime() - new Date((await server.ok('config', {})).time).getTime()
    expect(lastsMs).toBeLessThanOrEqual(server.config.swap.quoteTtlMs)
  })

  test('a quote of an exact output has the least cost', async () => {
    const quote = await server.ok('getQuote', { pool_id: 'bnb-usdt', amount: '0.5', inverse: 1, exact: 'out' })
    const before = { reserves: await reserves(), fees: FEES }
    const exact = quoteExactOut({ ...before, direction: 'quote_to_base', amountOut: units('0.5') })
    expect(quote).toMatchObject({
      amount_in: formatEther(exact?.amountIn ?? 0n),
      amount_out: formatEther(exact?.amountOut ?? 0n),
      fee: formatEther(exact?.fee ?? 0n),
      price_impact: formatEther(exact?.priceImpactE18 ?? 0n),
    })
  })

  test.each([
    ['too small', { amount: '0.000000000000000001' }, 'too small to buy anything'],
    ['the whole reserve', { amount: '5000', exact: 'out' }, 'more than the pool can give'],
    ['far more than the reserve', { amount: '1000000000', exact: 'out' }, 'more than the pool can give'],
  ] as const)('rejects the quote of an amount that is %s', async (_what, wish, reason) => {
    const quote = await server.call('getQuote', { pool_id: 'bnb-usdt', inverse: 1, ...wish })
    expect(quote).toMatchObject({ code: 20006, data: { reason } })
  })
})

describe('a swap', () => {
  test('executes once per key at the quoted amount', { tags: ['§1.06', '§7.17'] }, async () => {
    const quote = await server.ok('getQuote', { pool_id: 'bnb-usdt', amount: '0.5', inverse: 0 })
    const order = await swapPayload({ amount: '0.5', min_amount_out: quote.amount_out })
    const options = { token: trader.token, key: newKey() }
    const first = await server.ok('doSwap', order, options)
    const again = await server.ok('doSwap', order, options)
    expect(first).toMatchObject({ status: 'completed', amount_in: '0.5', amount_out: quote.amount_out, fee: '0.00125' })
    expect(again).toEqual(first)
    expect(await trader.available('BNB')).toBe('1.5')
    const orders = await server.ok('orders', {}, options)
    expect(orders.items).toMatchObject([{ transaction_id: first.transaction_id, amount_out: quote.amount_out }])

    const conflict = { status: 409, code: 20010 }
    expect(await server.call('doSwap', { ...order, amount: '0.25' }, options)).toMatchObject(conflict)
    const { min_amount_out: _, ...rest } = order
    const otherSide = { ...rest, exact: 'out', max_amount_in: '1' } as const
    expect(await server.call('doSwap', otherSide, options)).toMatchObject(conflict)
    expect(await server.ok('doSwap', { ...order, exact: 'in' }, options)).toEqual(first)
    expect(await trader.available('BNB')).toBe('1.5')
  })

  test('buys an exact amount at the quoted cost', async () => {
    const wish = { amount: '100', inverse: 0, exact: 'out' } as const
    const { amount_in, amount_out } = await server.ok('getQuote', { pool_id: 'bnb-usdt', ...wish })
    const done = await swap(trader, { ...wish, max_amount_in: amount_in })
    expect(done).toMatchObject({ status: 'completed', amount_in, amount_out })
    const refused = await trySwap(trader, { ...wish, max_amount_in: amount_in })
    expect(refused).toMatchObject({ status: 200, code: 20007, data: { amount_in: expect.any(String) } })
    expect(refused.data).not.toHaveProperty('amount_out')
  })

  test('rejects a user who is not activated', { tags: ['§5.12', '§6.03'] }, async () => {
    const user = await server.newUser({ faucet: false })
    const reply = await server.call('doSwap', await swapPayload({ amount: '1' }), {
      token: user.token,
      locale: 'zh-HK',
    })
    expect(reply).toMatchObject({ status: 200, code: 20003, msg: '請先啟用帳戶再操作' })
  })

  test('rejects one unit more than available, with a separate RT code', {
    tags: ['§5.06', '§5.10', '§8.12', '§8.13'],
  }, async () => {
    expect(await trySwap(invited, { amount: '2.000000000000000001' })).toMatchObject({
      code: 20001,
      msg: 'Balance not enough',
    })
    expect(await trySwap(invited, { pool_id: 'rt-usdt', amount: '1' })).toMatchObject({
      code: 20002,
      msg: 'RT balance is insufficient',
    })
    expect(await invited.available('BNB')).toBe('2')
  })

  test('rejects a late deadline with the amount of the open side', async () => {
    const deadline = '2020-01-01T00:00:00Z'
    const late = (data: object) => ({ code: 20007, data: { reason: 'deadline_passed', ...data } })
    const amount = expect.stringMatching(/^\d+\.\d+$/)
    expect(await trySwap(invited, { amount: '1', deadline })).toMatchObject(late({ amount_out: amount }))
    expect(await trySwap(invited, { amount: '50', exact: 'out', deadline })).toMatchObject(late({ amount_in: amount }))
  })

  test('pays the referral share to the inviter, who sees it', async () => {
    const before = units(await trader.available('BNB'))
    const { transaction_id } = await swap(invited, { amount: '0.012345678901234567' })
    const { items } = await server.ok('logs', { kind: 'referral_share' }, { token: trader.token })
    expect(items).toEqual([
      expect.objectContaining({ amount: '0.000001975308624197', asset: 'BNB', reference: transaction_id }),
    ])
    expect(units(await trader.available('BNB')) - before).toBe(1_975_308_624_197n)
    const [row] = await server.db.query<{ units: bigint }>(
      `select units from balances where account = $1 and asset = 'BNB'`,
      [userAccount(trader.id, 'available')],
    )
    expect(row?.units).toBe(units(await trader.available('BNB')))
  })

  test('returns not found for an unknown pool in every call', async () => {
    const nothing = { status: 404, code: 20009 }
    expect(await trySwap(trader, { pool_id: 'doge-usdt', amount: '1' })).toMatchObject(nothing)
    const pool_id = 'doge-usdt'
    expect(await server.call('getQuote', { pool_id, amount: '1', inverse: 0 })).toMatchObject(nothing)
    expect(await server.call('swapKline', { pool_id, interval: '1m' })).toMatchObject(nothing)
    expect(await server.call('swapTrades', { pool_id })).toMatchObject(nothing)
  })

  test.each(['0', '0.0', '1.0000000000000000001', '-1', '1e1', ''])(
    'rejects an amount of "%s" as invalid input',
    async (amount) => {
      const invalid = { status: 400, code: 20000, data: { fields: { amount: expect.any(String) } } }
      expect(await trySwap(trader, { amount })).toMatchObject(invalid)
      expect(await server.call('getQuote', { pool_id: 'bnb-usdt', amount, inverse: 0 })).toMatchObject(invalid)
    },
  )

  test.each([
    ['exact in without its limit', { amount: '1', min_amount_out: '' }, 'min_amount_out'],
    ['exact out without its limit', { amount: '1', exact: 'out', max_amount_in: '' }, 'max_amount_in'],
    ["exact in with the other's limit", { amount: '1', max_amount_in: '1' }, 'max_amount_in'],
    ["exact out with the other's limit", { amount: '1', exact: 'out', min_amount_out: '1' }, 'min_amount_out'],
    ['a limit with too many decimals', { amount: '1', exact: 'out', max_amount_in: '-1' }, 'max_amount_in'],
    ['an amount of zero', { amount: '0', exact: 'out' }, 'amount'],
    ['an unknown side', { amount: '1', exact: 'both' as 'out' }, 'exact'],
  ] as const)('%s is invalid input, and the field at fault is named', async (_what, wish, field) => {
    const reply = await trySwap(trader, wish)
    expect(reply).toMatchObject({ status: 400, code: 20000, data: { fields: { [field]: expect.any(String) } } })
  })
})

describe('the outcome of a swap', () => {
  const status = (key: string, token: string) => server.call('getOrderStatus', { idempotency_key: key }, { token })
  const nothing = { status: 404, code: 20009 }

  test('returns completed, failed or not found by key, to the owner only', async () => {
    const [done, refused, never] = [newKey(), newKey(), newKey()] as [string, string, string]
    const order = await swapPayload({ amount: '0.25' })
    const response = await server.ok('doSwap', order, { token: invited.token, key: done })
    await server.call('doSwap', { ...order, amount: '3' }, { token: invited.token, key: refused })
    expect((await status(done, invited.token)).data).toEqual(response)
    expect((await status(refused, invited.token)).data).toEqual({
      transaction_id: '',
      status: 'failed',
      reason: 'balance_not_enough',
      amount_in: '0',
      amount_out: '0',
      fee: '0',
    })
    expect(await status(never, invited.token)).toMatchObject(nothing)
    for (const key of [done, refused]) expect(await status(key, trader.token)).toMatchObject(nothing)
    const byId = { transaction_id: response.transaction_id }
    expect(await server.ok('getOrderStatus', byId, { token: invited.token })).toEqual(response)
    expect(await server.call('getOrderStatus', byId, { token: trader.token })).toMatchObject(nothing)
  })

  test('waits for a swap that is still queued', async () => {
    const key = newKey()
    const order = await swapPayload({ amount: '0.25' })
    const [swapped, asked] = await Promise.all([
      server.ok('doSwap', order, { token: invited.token, key }),
      server.ok('getOrderStatus', { idempotency_key: key }, { token: invited.token }),
    ])
    expect(asked).toEqual(swapped)
  })

  test('returns not found for a key of another call', async () => {
    const key = newKey()
    await server.ok('buy', { asset: 'USDT', amount: '20' }, { token: trader.token, key })
    expect(await status(key, trader.token)).toMatchObject(nothing)
  })

  test.each([
    ['no identifier', {}, 'transaction_id'],
    ['two identifiers', { transaction_id: 'x', idempotency_key: 'abcdefgh' }, 'idempotency_key'],
    ['a malformed key', { idempotency_key: 'short' }, 'idempotency_key'],
  ])('rejects %s as invalid input', async (_what, payload, field) => {
    const reply = await server.call('getOrderStatus', payload, { token: trader.token })
    expect(reply).toMatchObject({ status: 400, code: 20000, data: { fields: { [field]: expect.any(String) } } })
  })
})

describe('concurrent requests', () => {
  test('execute in order, each at the reserves that the one before left', async () => {
    let pool = await reserves()
    const wishes = Array.from({ length: 20 }, (_, index) =>
      index % 3 === 0 ? ({ amount: '5', inverse: 1 } as const) : { amount: `0.0${index + 1}` },
    )
    const replies = await Promise.all(wishes.map((wish, index) => swap(index % 2 ? trader : invited, wish)))
    const inOrder = await server.db.query<{ reference: string }>(
      `select reference from entries where kind = 'swap' and reference = any($1::text[]) order by seq`,
      [replies.map((reply) => reply.transaction_id)],
    )
    expect(inOrder).toHaveLength(20)
    for (const { reference } of inOrder) {
      const index = replies.findIndex((reply) => reply.transaction_id === reference)
      const reply = replies[index]
      const direction = wishes[index]?.inverse ? 'quote_to_base' : 'base_to_quote'
      const quote = quoteExactIn({ reserves: pool, direction, amountIn: units(reply?.amount_in), fees: FEES })
      expect(units(reply?.amount_out)).toBe(quote?.amountOut)
      pool = quote?.reservesAfter as typeof pool
    }
    expect(await reserves()).toEqual(pool)
  })

  test('spend the same balance once', async () => {
    const amount = await invited.available('BNB')
    const replies = await Promise.all(Array.from({ length: 10 }, () => trySwap(invited, { amount })))
    expect(replies.map((reply) => reply.code).sort()).toEqual([1, ...Array.from({ length: 9 }, () => 20001)])
    expect(await invited.available('BNB')).toBe('0')
  })
})

test("lists the owner's orders by pool and page, newest first", { tags: ['§7.18', '§7.19'] }, async () => {
  const user = await newTrader(server)
  const sold = await swap(user, { amount: '0.5' })
  const rt = await swap(user, { pool_id: 'rt-usdt', amount: '50', inverse: 1 })
  const bought = await swap(user, { amount: '100', inverse: 1 })
  const list = (filter: { pool_id?: string; limit?: number; cursor?: string }) =>
    server.ok('orders', filter, { token: user.token })
  const { items } = await list({})
  expect(items.map((item) => item.transaction_id)).toEqual([bought, rt, sold].map((each) => each.transaction_id))
  expect(items[2]).toMatchObject({
    symbol: 'BNBUSDT',
    inverse: 0,
    amount_in: '0.5',
    amount_out: sold.amount_out,
    fee: '0.00125',
    status: 'completed',
  })
  // The price of one BNB in USDT, in both directions.
  for (const item of [items[0], items[2]]) {
    const [bnb, usdt] = item?.inverse ? [item.amount_out, item.amount_in] : [item?.amount_in, item?.amount_out]
    expect(units(item?.price)).toBe((units(usdt) * 10n ** 18n) / units(bnb))
  }
  expect((await list({ pool_id: 'rt-usdt' })).items).toEqual([items[1]])
  const first = await list({ limit: 2 })
  const second = await list({ limit: 2, cursor: first.next_cursor ?? '' })
  expect([...first.items, ...second.items]).toEqual(items)
  expect(second.next_cursor).toBeNull()

  const asked = { transaction_id: sold.transaction_id }
  expect(await server.ok('getOrderStatus', asked, { token: user.token })).toEqual({
    ...asked,
    status: 'completed',
    amount_in: '0.5',
    amount_out: sold.amount_out,
    fee: '0.00125',
  })
  const nobody = await server.newUser({ faucet: false })
  expect((await server.ok('orders', {}, { token: nobody.token })).items).toEqual([])
})

describe('the trades of a pool', () => {
  test('are anonymous, newest first, in pages', async () => {
    const [one, other] = [await newTrader(server), trader]
    const pool_id = 'eth-usdt'
    const made = [
      await swap(one, { pool_id, amount: '50', inverse: 1 }),
      await swap(other, { pool_id, amount: '20', inverse: 1 }),
      await swap(one, { pool_id, amount: '10', exact: 'out' }),
    ]
    await swap(other, { pool_id: 'rt-usdt', amount: '10', inverse: 1 })
    const { items, next_cursor } = await server.ok('swapTrades', { pool_id })
    expect(next_cursor).toBeNull()
    expect(items.map(({ side, amount_base, amount_quote }) => [side, amount_base, amount_quote])).toEqual([
      ['sell', made[2]?.amount_in, made[2]?.amount_out],
      ['buy', made[1]?.amount_out, '20'],
      ['buy', made[0]?.amount_out, '50'],
    ])
    for (const { price, amount_base, amount_quote } of items)
      expect(units(price)).toBe((units(amount_quote) * 10n ** 18n) / units(amount_base))
    const pages: typeof items = []
    let cursor: string | undefined
    do {
      const page = await server.ok('swapTrades', { pool_id, limit: 1, ...(cursor ? { cursor } : {}) })
      pages.push(...page.items)
      cursor = page.next_cursor ?? undefined
      for (const { transaction_id } of made) expect(cursor).not.toBe(transaction_id)
    } while (cursor)
    expect(pages).toEqual(items)
    const json = JSON.stringify(items)
    for (const text of [one.id, other.id, ...made.map((each) => each.transaction_id)]) expect(json).not.toContain(text)
    expect(new Set(items.map((item) => item.id)).size).toBe(3)
  })

  test('rejects a foreign cursor', async () => {
    expect(await server.call('swapTrades', { pool_id: 'bnb-usdt', cursor: 'l0-x' })).toMatchObject({
      status: 400,
      code: 20000,
      data: { fields: { cursor: expect.any(String) } },
    })
  })

  test('are read backward by primary key', async () => {
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
  const MINUTE_MS = 60_000
  const kline = (window: { from?: string; to?: string; limit?: number }, interval: '1m' | '1h' = '1m') =>
    server.ok('swapKline', { pool_id: 'eth-usdt', interval, ...window })
  const now = async () => (await server.ok('config', {})).time
  let user: TestUser
  let from = ''
  beforeAll(async () => {
    user = await newTrader(server)
    await server.ok('localAdvance', { seconds: 3 * 86_400 })
    from = new Date(Math.floor(Date.parse(await now()) / MINUTE_MS) * MINUTE_MS).toISOString()
    await swap(user, { pool_id: 'eth-usdt', amount: '10', inverse: 1 })
    await server.ok('localAdvance', { seconds: 600 })
    await swap(user, { pool_id: 'eth-usdt', amount: '20', inverse: 1 })
    await server.ok('localAdvance', { seconds: 300 })
  })

  test('are flat at the last close without trades', async () => {
    const candles = await kline({ from, limit: 1000 })
    expect(candles[0]?.time).toBe(from)
    expect(Date.parse(await now()) - Date.parse(candles.at(-1)?.time ?? '')).toBeLessThan(2 * MINUTE_MS)
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

  test('continue across pages', async () => {
    const all = await kline({ from, limit: 1000 })
    const pages: typeof all = []
    let to: string | undefined
    while (pages.length < all.length) {
      const page = await kline({ limit: 4, ...(to ? { to } : {}) })
      pages.unshift(...page)
      to = page[0]?.time
    }
    expect(pages.slice(-all.length)).toEqual(all)
    const middle = all.slice(3, 9)
    expect(await kline({ from: middle[0]?.time ?? '', to: all[9]?.time ?? '' })).toEqual(middle)
    expect(await kline({ from: '2020-01-01', to: '2020-01-02' })).toEqual([])
  })

  test('of every interval match the orders and the pool price', { tags: ['§7.20'] }, async () => {
    const sold = units(await user.available('ETH'))
    await swap(user, { pool_id: 'eth-usdt', amount: formatEther(sold) })
    const pair = await pairOf(server, 'eth-usdt')
    for (const interval of ['1m', '5m', '15m', '1h', '4h', '1d'] as const) {
      const candles = await server.ok('swapKline', { pool_id: 'eth-usdt', interval, limit: 1000 })
      const recent = candles.filter((candle) => new Date(candle.time).getTime() > new Date(from).getTime() - 86_400_000)
      // Bought in two parts, and sold in one.
      expect(recent.reduce((sum, candle) => sum + units(candle.volume), 0n)).toBe(2n * sold)
      expect(recent.at(-1)?.close).toBe(pair.price)
      const times = candles.map((candle) => candle.time)
      expect(times).toEqual(times.toSorted())
      for (const { open, high, low, close } of recent) {
        const [o, h, l, c] = [open, high, low, close].map(units) as [bigint, bigint, bigint, bigint]
        expect(h >= o && h >= c && l <= o && l <= c).toBe(true)
      }
      // Only swaps move a pool's price, so its chart has no gaps: a candle includes the move of its first trade.
      for (const [index, { close }] of recent.slice(0, -1).entries()) expect(recent[index + 1]?.open).toBe(close)
    }
    const minutes = await kline({ from })
    expect(await kline({ limit: 1 })).toEqual([minutes.at(-1)])
  })

  test('are flat for days without trades, up to the limit', async () => {
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

test("a pair's 24-hour figures drop trades of two days ago", async () => {
  const user = await newTrader(server)
  const pair = () => pairOf(server, 'bnb-usdt')
  const before = await pair()
  expect(before).toMatchObject({ volume_24h: '0', change_24h: '0', high_24h: before.price, low_24h: before.price })
  const sold = await swap(user, { amount: '1' })
  const low = await pair()
  const bought = await swap(user, { amount: '490', inverse: 1 })
  const now = await pair()
  expect(units(low.price)).toBeLessThan(units(before.price))
  expect([low.high_24h, low.low_24h]).toEqual([before.price, low.price])
  expect(now.low_24h).toBe(low.price)
  expect(units(now.volume_24h)).toBe(units(bought.amount_out) + units(sold.amount_in))
  const change = ((units(now.price) - units(before.price)) * 1_000_000n) / units(before.price)
  expect(Number(now.change_24h) * 1_000_000).toBeCloseTo(Number(change), 3)
  const { base, quote } = await reserves()
  expect(now).toMatchObject({
    reserve_base: formatEther(base),
    reserve_quote: formatEther(quote),
    fee: '0.0025',
    suspended: false,
  })
  await server.ok('localAdvance', { seconds: 2 * 86_400 })
  expect(await pair()).toMatchObject({
    volume_24h: '0',
    change_24h: '0',
    price: now.price,
    high_24h: now.price,
    low_24h: now.price,
  })
})

test('a suspended pool rejects swaps and quotes while others trade', { tags: ['§8.14'] }, async () => {
  // The sessions of the others have expired meanwhile.
  const user = await newTrader(server)
  const before = await reserves()
  await server.db.query(
    `insert into pool_requests (id, pool_id, kind, detail, asked_at) values ('stop', 'bnb-usdt', 'suspended', 'a test', now())`,
  )
  await server.ok('localAdvance', { seconds: 1 })
  const suspended = { status: 200, code: 20005, msg: 'Trading suspended', data: { reason: 'operator' } }
  expect(await trySwap(user, { amount: '0.1' })).toMatchObject(suspended)
  expect(await server.call('getQuote', { pool_id: 'bnb-usdt', amount: '1', inverse: 0 })).toMatchObject(suspended)
  expect(
    (await server.ok('pairs', {})).map(({ suspended, suspended_reason }) => [suspended, suspended_reason]),
  ).toEqual([
    [true, 'operator'],
    [false, null],
    [false, null],
  ])
  expect(await reserves()).toEqual(before)
  await swap(user, { pool_id: 'rt-usdt', amount: '10', inverse: 1 })
})

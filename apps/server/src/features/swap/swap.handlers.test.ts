import { quoteExactIn } from '@clearwell/rules/swap'
import { formatEther, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { INSURANCE, REFERRAL, REWARDS, TREASURY, userAccount } from '../../platform/ledger/accounts.ts'
import { endExact, newKey, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'
import {
  newTrader as newTraderOf,
  reservesOf,
  type SwapRequest,
  swap as swapOn,
  swapPayload as swapPayloadOf,
  trySwap as trySwapOn,
} from './testing/traders.ts'

const FEES = { totalBps: 25n, revenueBps: 8n }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
}, 60_000)
afterAll(() => endExact(server))

const newTrader = (options: { pid?: string } = {}) => newTraderOf(server, options)
const swapPayload = (wish: SwapRequest) => swapPayloadOf(server, wish)
const swap = (user: TestUser, wish: SwapRequest) => swapOn(server, user, wish)
const trySwap = (user: TestUser, wish: SwapRequest) => trySwapOn(server, user, wish)
const reserves = () => reservesOf(server)

async function units(account: string, asset: string): Promise<bigint> {
  const [row] = await server.db.query<{ units: bigint }>(
    'select units from balances where account = $1 and asset = $2',
    [account, asset],
  )
  return row?.units ?? 0n
}

/** The postings of a swap, entry by entry, as text. */
async function entriesOf(transactionId: string): Promise<string[]> {
  const rows = await server.db.query<{ kind: string; account: string; asset: string; units: bigint }>(
    `select e.kind, p.account, p.asset, p.units from entries e join postings p on p.entry_seq = e.seq
     where e.reference = $1 order by e.seq, p.position`,
    [transactionId],
  )
  return rows.map((row) => `${row.kind}: ${row.account} ${row.units} ${row.asset}`)
}

async function entryCount(): Promise<bigint> {
  const [row] = await server.db.query<{ count: bigint }>('select count(*) as count from entries')
  return row?.count ?? 0n
}

describe('a swap', () => {
  test('executes once per key at the quoted amount', { tags: ['§1.06', '§7.17'] }, async () => {
    const user = await newTrader()
    const quote = await server.ok('getQuote', { pool_id: 'bnb-usdt', amount: '1', inverse: 0 })
    const order = await swapPayload({ amount: '1', min_amount_out: quote.amount_out })
    const options = { token: user.token, key: newKey() }
    const first = await server.ok('doSwap', order, options)
    const again = await server.ok('doSwap', order, options)
    expect(first).toMatchObject({ status: 'completed', amount_in: '1', amount_out: quote.amount_out, fee: '0.0025' })
    expect(again).toEqual(first)
    expect(await user.available('BNB')).toBe('1')
    const orders = await server.ok('orders', {}, options)
    expect(orders.items).toMatchObject([{ transaction_id: first.transaction_id, amount_out: quote.amount_out }])
  })

  test('returns a conflict for the same key with another amount', async () => {
    const user = await newTrader()
    const options = { token: user.token, key: newKey() }
    const order = await swapPayload({ amount: '1' })
    await server.ok('doSwap', order, options)
    const reply = await server.call('doSwap', { ...order, amount: '0.5' }, options)
    expect(reply).toMatchObject({ status: 409, code: 20010 })
    expect(await user.available('BNB')).toBe('1')
  })

  test('rejects a user who is not activated', { tags: ['§5.12', '§6.03'] }, async () => {
    const user = await server.newUser()
    await user.transferIn('BNB', '2')
    const order = await swapPayload({ amount: '1' })
    const reply = await server.call('doSwap', order, { token: user.token, locale: 'zh-HK' })
    expect(reply).toMatchObject({ status: 200, code: 20003, msg: '請先啟用帳戶再操作' })
    expect(await user.available('BNB')).toBe('2')
  })

  test('follows the formula both ways, and a round trip costs', async () => {
    const user = await newTrader()
    const before = await reserves()
    const sold = await swap(user, { amount: '1' })
    const there = quoteExactIn({ reserves: before, direction: 'base_to_quote', amountIn: parseEther('1'), fees: FEES })
    expect(parseEther(sold.amount_out)).toBe(there?.amountOut)
    expect(await reserves()).toEqual(there?.reservesAfter)
    const back = await swap(user, { amount: sold.amount_out, inverse: 1 })
    expect(back).toMatchObject({ amount_in: sold.amount_out })
    expect(parseEther(back.amount_out)).toBeLessThan(parseEther('1'))
    expect(await user.available('USDT')).toBe('490')
    expect(parseEther(await user.available('BNB'))).toBe(parseEther('1') + parseEther(back.amount_out))
  })

  test('accepts a limit of the exact output, rejects one unit more', async () => {
    const user = await newTrader()
    const { amount_out } = await server.ok('getQuote', { pool_id: 'bnb-usdt', amount: '0.5', inverse: 0 })
    const above = formatEther(parseEther(amount_out) + 1n)
    const entries = await entryCount()
    expect(await trySwap(user, { amount: '0.5', min_amount_out: above })).toMatchObject({
      status: 200,
      code: 20007,
      data: { amount_out },
    })
    expect(await entryCount()).toBe(entries)
    expect(await swap(user, { amount: '0.5', min_amount_out: amount_out })).toMatchObject({ amount_out })
  })

  test('rejects a swap after its deadline and reports the current output', async () => {
    const user = await newTrader()
    const reply = await trySwap(user, { amount: '1', deadline: '2020-01-01T00:00:00Z' })
    expect(reply).toMatchObject({
      code: 20007,
      data: { reason: 'deadline_passed', amount_out: expect.stringMatching(/^\d+\.\d+$/) },
    })
    expect(await user.available('BNB')).toBe('2')
  })

  test('rejects one unit more than available, with a separate RT code', {
    tags: ['§5.06', '§5.10', '§8.12', '§8.13'],
  }, async () => {
    const user = await newTrader()
    expect(await trySwap(user, { amount: '2.000000000000000001' })).toMatchObject({
      code: 20001,
      msg: 'Balance not enough',
    })
    expect(await trySwap(user, { pool_id: 'rt-usdt', amount: '1' })).toMatchObject({
      code: 20002,
      msg: 'RT balance is insufficient',
    })
    expect(await swap(user, { amount: '2' })).toMatchObject({ amount_in: '2' })
    expect(await user.available('BNB')).toBe('0')
  })

  test('buys and sells RT against USDT', async () => {
    const user = await newTrader()
    const bought = await swap(user, { pool_id: 'rt-usdt', amount: '100', inverse: 1 })
    expect(await user.available('RT')).toBe(bought.amount_out)
    const sold = await swap(user, { pool_id: 'rt-usdt', amount: bought.amount_out })
    expect(await user.available('RT')).toBe('0')
    expect(parseEther(sold.amount_out)).toBeLessThan(parseEther('100'))
  })

  test('returns not found for an unknown pool in every call', async () => {
    const user = await newTrader()
    expect(await trySwap(user, { pool_id: 'doge-usdt', amount: '1' })).toMatchObject({ status: 404, code: 20009 })
    const quote = await server.call('getQuote', { pool_id: 'doge-usdt', amount: '1', inverse: 0 })
    expect(quote).toMatchObject({ status: 404, code: 20009 })
    const kline = await server.call('swapKline', { pool_id: 'doge-usdt', interval: '1m' })
    expect(kline).toMatchObject({ status: 404, code: 20009 })
  })

  test.each(['0', '0.0', '1.0000000000000000001', '-1', '1e1', ''])(
    'rejects an amount of "%s" as invalid input',
    async (amount) => {
      const user = await server.newUser({ faucet: false })
      const invalid = { status: 400, code: 20000, data: { fields: { amount: expect.any(String) } } }
      expect(await trySwap(user, { amount })).toMatchObject(invalid)
      expect(await server.call('getQuote', { pool_id: 'bnb-usdt', amount, inverse: 0 })).toMatchObject(invalid)
    },
  )

  test('rejects an amount too small to buy one unit', async () => {
    const user = await newTrader()
    const tiny = '0.000000000000000001'
    expect(await trySwap(user, { amount: tiny, inverse: 1 })).toMatchObject({
      code: 20006,
      data: { reason: 'too small to buy anything' },
    })
    expect(await server.call('getQuote', { pool_id: 'bnb-usdt', amount: tiny, inverse: 1 })).toMatchObject({
      code: 20006,
    })
    const sold = await swap(user, { amount: tiny })
    expect(parseEther(sold.amount_out)).toBeGreaterThan(0n)
    // One unit leaves no revenue, so the entry has no postings of zero.
    expect(await entriesOf(sold.transaction_id)).toHaveLength(4)
  })
})

describe('the fee', () => {
  // 12345678901234567 × 8 ÷ 10000 = 9876543120987.65: 20 %, 10 % and 20 % of it rounded down, the rest to the reward pool.
  const amount = '0.012345678901234567'
  const revenue = {
    referral: 1975308624197n,
    insurance: 987654312098n,
    treasury: 1975308624197n,
    rewards: 4938271560495n,
  }

  async function takings() {
    return {
      referral: await units(REFERRAL, 'BNB'),
      insurance: await units(INSURANCE, 'BNB'),
      treasury: await units(TREASURY, 'BNB'),
      rewards: await units(REWARDS, 'BNB'),
    }
  }

  async function takenBy(act: () => Promise<unknown>) {
    const before = await takings()
    await act()
    const after = await takings()
    return {
      referral: after.referral - before.referral,
      insurance: after.insurance - before.insurance,
      treasury: after.treasury - before.treasury,
      rewards: after.rewards - before.rewards,
    }
  }

  const inviteCode = async (user: TestUser) => (await server.ok('userinfo', {}, { token: user.token })).invite_code

  test("the fee's referral part rewards the pool without an inviter", async () => {
    const user = await newTrader()
    expect(await takenBy(() => swap(user, { amount }))).toEqual({
      ...revenue,
      referral: 0n,
      rewards: revenue.rewards + revenue.referral,
    })
  })

  test("the fee's referral part goes to an activated inviter separately", async () => {
    const inviter = await newTrader()
    const user = await newTrader({ pid: await inviteCode(inviter) })
    const before = await reserves()
    let id = ''
    let out = 0n
    const taken = await takenBy(async () => {
      const done = await swap(user, { amount })
      id = done.transaction_id
      out = parseEther(done.amount_out)
    })
    expect(taken).toEqual({ ...revenue, referral: 0n })
    expect(parseEther(await inviter.available('BNB'))).toBe(parseEther('2') + revenue.referral)
    const trader = userAccount(user.id, 'available')
    const sold = 12345678901234567n
    expect(await entriesOf(id)).toEqual([
      `swap: ${trader} ${-sold} BNB`,
      `swap: pool:bnb-usdt ${sold - 9876543120987n} BNB`,
      `swap: ${REWARDS} ${revenue.rewards} BNB`,
      `swap: ${REFERRAL} ${revenue.referral} BNB`,
      `swap: ${INSURANCE} ${revenue.insurance} BNB`,
      `swap: ${TREASURY} ${revenue.treasury} BNB`,
      `swap: pool:bnb-usdt ${-out} USDT`,
      `swap: ${trader} ${out} USDT`,
      `referral_share: ${REFERRAL} ${-revenue.referral} BNB`,
      `referral_share: ${userAccount(inviter.id, 'available')} ${revenue.referral} BNB`,
    ])
    const { items } = await server.ok('logs', { kind: 'referral_share' }, { token: inviter.token })
    expect(items).toEqual([expect.objectContaining({ amount: '0.000001975308624197', asset: 'BNB', reference: id })])
    expect((await reserves()).base - before.base).toBe(sold - 9876543120987n)
  })

  test('the fee skips an inactive inviter for the reward pool', async () => {
    const inviter = await server.newUser({ faucet: false })
    const user = await newTrader({ pid: await inviteCode(inviter) })
    const taken = await takenBy(() => swap(user, { amount }))
    expect(taken).toEqual({ ...revenue, referral: 0n, rewards: revenue.rewards + revenue.referral })
    expect(await inviter.available('BNB')).toBe('0')
  })

  test('the fee is charged in the asset sold, in both directions', async () => {
    const user = await newTrader()
    const before = await units(INSURANCE, 'USDT')
    const done = await swap(user, { amount: '100', inverse: 1 })
    expect(done.fee).toBe('0.25')
    // 100 × 8 ÷ 10000 × 10 %.
    expect((await units(INSURANCE, 'USDT')) - before).toBe(parseEther('0.008'))
  })
})

test('executes twenty concurrent swaps in order without lowering k', async () => {
  const users: TestUser[] = []
  for (let index = 0; index < 20; index++) users.push(await newTrader())
  let pool = await reserves()
  const replies = await Promise.all(
    users.map((user, index) =>
      swap(user, index % 3 === 0 ? { amount: '100', inverse: 1 } : { amount: `0.${index + 1}` }),
    ),
  )
  const inOrder = await server.db.query<{ reference: string }>(
    `select reference from entries where kind = 'swap' and reference = any($1::text[]) order by seq`,
    [replies.map((reply) => reply.transaction_id)],
  )
  expect(inOrder).toHaveLength(20)
  for (const { reference } of inOrder) {
    const index = replies.findIndex((reply) => reply.transaction_id === reference)
    const reply = replies[index]
    const direction = index % 3 === 0 ? 'quote_to_base' : 'base_to_quote'
    const quote = quoteExactIn({ reserves: pool, direction, amountIn: parseEther(reply?.amount_in ?? ''), fees: FEES })
    expect(parseEther(reply?.amount_out ?? '')).toBe(quote?.amountOut)
    const after = quote?.reservesAfter as typeof pool
    expect(after.base * after.quote).toBeGreaterThan(pool.base * pool.quote)
    pool = after
  }
  expect(await reserves()).toEqual(pool)
})

test('ten concurrent requests spend the same balance once', async () => {
  const user = await newTrader()
  const replies = await Promise.all(Array.from({ length: 10 }, () => trySwap(user, { amount: '2' })))
  expect(replies.map((reply) => reply.code).sort()).toEqual([1, ...Array.from({ length: 9 }, () => 20001)])
  expect(await user.available('BNB')).toBe('0')
})

describe('reading', () => {
  test('a quote has the mid price, impact, fee and expiry', { tags: ['§3.13', '§7.16'] }, async () => {
    const { base, quote } = await reserves()
    const response = await server.ok('getQuote', { pool_id: 'bnb-usdt', amount: '10', inverse: 0 })
    const exact = quoteExactIn({
      reserves: { base, quote },
      direction: 'base_to_quote',
      amountIn: parseEther('10'),
      fees: FEES,
    })
    expect(response).toMatchObject({
      amount_out: formatEther(exact?.amountOut as bigint),
      amount_out_orginal: formatEther(exact?.amountOutAtMid as bigint),
      price_impact: formatEther(exact?.priceImpactE18 as bigint),
      fee: '0.025',
    })
    expect(parseEther(response.amount_out)).toBeLessThan(parseEther(response.amount_out_orginal))
    const lastsMs = new Date(response.expires_at).getTime() - new Date((await server.ok('config', {})).time).getTime()
    expect(lastsMs).toBeLessThanOrEqual(server.config.swap.quoteTtlMs)
  })

  test("lists the owner's orders by pool and page, newest first", { tags: ['§7.18', '§7.19'] }, async () => {
    const [user, other] = [await newTrader(), await newTrader()]
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
      expect(parseEther(item?.price ?? '')).toBe((parseEther(usdt ?? '') * 10n ** 18n) / parseEther(bnb ?? ''))
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
    expect(await server.call('getOrderStatus', asked, { token: other.token })).toMatchObject({
      status: 404,
      code: 20009,
    })
    expect((await server.ok('orders', {}, { token: other.token })).items).toEqual([])
  })

  test('candles of every interval match the orders and the pool price', { tags: ['§7.20'] }, async () => {
    const user = await newTrader()
    await server.ok('localAdvance', { seconds: 3 * 86_400 })
    const from = (await server.ok('config', {})).time
    const orders = [
      await swap(user, { pool_id: 'eth-usdt', amount: '100', inverse: 1 }),
      await swap(user, { pool_id: 'eth-usdt', amount: '200', inverse: 1 }),
    ]
    await server.ok('localAdvance', { seconds: 7_200 })
    const eth = await user.available('ETH')
    orders.push(await swap(user, { pool_id: 'eth-usdt', amount: eth }))
    const volume = parseEther(orders[0]?.amount_out ?? '') + parseEther(orders[1]?.amount_out ?? '') + parseEther(eth)
    const pair = (await server.ok('pairs', {})).find((each) => each.id === 'eth-usdt')
    for (const interval of ['1m', '5m', '15m', '1h', '4h', '1d'] as const) {
      const candles = await server.ok('swapKline', { pool_id: 'eth-usdt', interval, limit: 1000 })
      const recent = candles.filter((candle) => new Date(candle.time).getTime() > new Date(from).getTime() - 86_400_000)
      expect(recent.reduce((sum, candle) => sum + parseEther(candle.volume), 0n)).toBe(volume)
      expect(recent.at(-1)?.close).toBe(pair?.price)
      const times = candles.map((candle) => candle.time)
      expect(times).toEqual(times.toSorted())
      for (const { open, high, low, close } of recent) {
        const [o, h, l, c] = [open, high, low, close].map((price) => parseEther(price)) as [
          bigint,
          bigint,
          bigint,
          bigint,
        ]
        expect(h >= o && h >= c && l <= o && l <= c).toBe(true)
      }
      // Only swaps move a pool's price, so its chart has no gaps: a candle includes the move of its first trade.
      for (const [index, { close }] of recent.slice(0, -1).entries()) expect(recent[index + 1]?.open).toBe(close)
    }
    const minutes = await server.ok('swapKline', { pool_id: 'eth-usdt', interval: '1m', from })
    const last = await server.ok('swapKline', { pool_id: 'eth-usdt', interval: '1m', limit: 1 })
    expect(last).toEqual([minutes.at(-1)])
    expect(
      await server.ok('swapKline', { pool_id: 'eth-usdt', interval: '1m', from: '2020-01-01', to: '2020-01-02' }),
    ).toEqual([])
  })

  test("a pair's 24-hour figures drop trades of two days ago", async () => {
    const user = await newTrader()
    const pair = async () =>
      (await server.ok('pairs', {})).find((each) => each.id === 'bnb-usdt') as Awaited<
        ReturnType<typeof server.ok<'pairs'>>
      >[number]
    await server.ok('localAdvance', { seconds: 2 * 86_400 })
    const before = await pair()
    expect(before).toMatchObject({ volume_24h: '0', change_24h: '0', high_24h: before.price, low_24h: before.price })
    await swap(user, { amount: '1' })
    const low = await pair()
    await swap(user, { amount: '490', inverse: 1 })
    const now = await pair()
    expect(parseEther(low.price)).toBeLessThan(parseEther(before.price))
    expect([low.high_24h, low.low_24h]).toEqual([before.price, low.price])
    expect(now.low_24h).toBe(low.price)
    const { items } = await server.ok('orders', { limit: 2 }, { token: user.token })
    const [bought, sold] = items
    expect(parseEther(now.volume_24h)).toBe(parseEther(bought?.amount_out ?? '') + parseEther(sold?.amount_in ?? ''))
    const change = ((parseEther(now.price) - parseEther(before.price)) * 1_000_000n) / parseEther(before.price)
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

  test('lists pairs in the order of the configuration', { tags: ['§7.14', '§7.15'] }, async () => {
    expect((await server.ok('pairs', {})).map((pair) => pair.symbol)).toEqual(['BNBUSDT', 'ETHUSDT', 'RTUSDT'])
  })
})

test('a suspended pool rejects swaps and quotes while others trade', { tags: ['§8.14'] }, async () => {
  const user = await newTrader()
  const before = await reserves()
  await server.db.query(
    `update swap_pools set suspended_at = now(), suspended_reason = 'maintenance' where id = 'bnb-usdt'`,
  )
  expect(server.errors).toEqual([])
  server = await server.restart()
  const suspended = { status: 200, code: 20005, msg: 'Trading suspended', data: { reason: 'maintenance' } }
  expect(await trySwap(user, { amount: '1' })).toMatchObject(suspended)
  expect(await server.call('getQuote', { pool_id: 'bnb-usdt', amount: '1', inverse: 0 })).toMatchObject(suspended)
  expect(
    (await server.ok('pairs', {})).map(({ suspended, suspended_reason }) => [suspended, suspended_reason]),
  ).toEqual([
    [true, 'maintenance'],
    [false, null],
    [false, null],
  ])
  expect(await reserves()).toEqual(before)
  await swap(user, { pool_id: 'rt-usdt', amount: '10', inverse: 1 })
})

import { quoteExactIn, quoteExactOut } from '@clearwell/rules/swap'
import { formatEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localConfigFile } from '../../platform/chain/testing/local-chain.ts'
import { userAccount } from '../../platform/ledger/accounts.ts'
import { requestSigned } from '../../testing/operate.ts'
import { endExact, newKey, startTestServer } from '../../testing/server.ts'
import { newTrader, reservesOf, swap, swapPayload, trySwap, units } from '../../testing/traders.ts'
import { changePoolByOperator } from './change-pool.ts'
import { FEES, type SwapWorld } from './testing/swap-world.ts'
import { testSuspension } from './testing/test-suspension.ts'
import { testSwapCandles } from './testing/test-swap-candles.ts'
import { testSwapLists } from './testing/test-swap-lists.ts'
import { testSwapOutcomes } from './testing/test-swap-outcomes.ts'

// Amounts, fees and refusals are decided in execute-swap.test.ts. Here are input, sessions, keys and lists.
const world = {} as SwapWorld
let file: Awaited<ReturnType<typeof localConfigFile>>
beforeAll(async () => {
  // The pools are checked only when a test moves time or prices.
  file = await localConfigFile((config) => Object.assign(config.swap.breaker, { checkMs: 3_600_000 }))
  const server = await startTestServer({ CONFIG_FILE: file.path })
  const trader = await newTrader(server)
  const { invite_code: pid } = await server.ok('userinfo', {}, { token: trader.token })
  Object.assign(world, { server, trader, invited: await newTrader(server, { pid }) })
})
afterAll(() => endExact(world.server, { file }))

describe('before the first trade', () => {
  test('trades and candles are empty', async () => {
    expect(await world.server.ok('swapTrades', { pool_id: 'eth-usdt' })).toEqual({ items: [], next_cursor: null })
    expect(await world.server.ok('swapKline', { pool_id: 'eth-usdt', interval: '1m' })).toEqual([])
  })

  test('lists pairs in the order of the configuration', { tags: ['§7.14', '§7.15'] }, async () => {
    expect((await world.server.ok('pairs', {})).map((pair) => pair.symbol)).toEqual(['BNBUSDT', 'ETHUSDT', 'RTUSDT'])
  })

  test('a quote has the mid price, impact, fee and expiry', { tags: ['§3.13', '§7.16'] }, async () => {
    const response = await world.server.ok('getQuote', { pool_id: 'bnb-usdt', amount: '10', inverse: 0 })
    const exact = quoteExactIn({
      reserves: await reservesOf(world.server),
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
    const lastsMs =
      new Date(response.expires_at).getTime() - new Date((await world.server.ok('config', {})).time).getTime()
    expect(lastsMs).toBeLessThanOrEqual(world.server.config.swap.quoteTtlMs)
  })

  test('a quote of an exact output has the least cost', async () => {
    const quote = await world.server.ok('getQuote', { pool_id: 'bnb-usdt', amount: '0.5', inverse: 1, exact: 'out' })
    const before = { reserves: await reservesOf(world.server), fees: FEES }
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
    const quote = await world.server.call('getQuote', { pool_id: 'bnb-usdt', inverse: 1, ...wish })
    expect(quote).toMatchObject({ code: 20006, data: { reason } })
  })
})

describe('a swap', () => {
  test('executes once per key at the quoted amount', { tags: ['§1.06', '§7.17'] }, async () => {
    const quote = await world.server.ok('getQuote', { pool_id: 'bnb-usdt', amount: '0.5', inverse: 0 })
    const order = await swapPayload(world.server, { amount: '0.5', min_amount_out: quote.amount_out })
    const options = { token: world.trader.token, key: newKey() }
    const first = await world.server.ok('doSwap', order, options)
    const again = await world.server.ok('doSwap', order, options)
    expect(first).toMatchObject({ status: 'completed', amount_in: '0.5', amount_out: quote.amount_out, fee: '0.00125' })
    expect(again).toEqual(first)
    expect(await world.trader.available('BNB')).toBe('1.5')
    const orders = await world.server.ok('orders', {}, options)
    expect(orders.items).toMatchObject([{ transaction_id: first.transaction_id, amount_out: quote.amount_out }])

    const conflict = { status: 409, code: 20010 }
    expect(await world.server.call('doSwap', { ...order, amount: '0.25' }, options)).toMatchObject(conflict)
    const { min_amount_out: _, ...rest } = order
    const otherSide = { ...rest, exact: 'out', max_amount_in: '1' } as const
    expect(await world.server.call('doSwap', otherSide, options)).toMatchObject(conflict)
    expect(await world.server.ok('doSwap', { ...order, exact: 'in' }, options)).toEqual(first)
    expect(await world.trader.available('BNB')).toBe('1.5')
  })

  test('buys an exact amount at the quoted cost', async () => {
    const wish = { amount: '100', inverse: 0, exact: 'out' } as const
    const { amount_in, amount_out } = await world.server.ok('getQuote', { pool_id: 'bnb-usdt', ...wish })
    const done = await swap(world.server, world.trader, { ...wish, max_amount_in: amount_in })
    expect(done).toMatchObject({ status: 'completed', amount_in, amount_out })
    const refused = await trySwap(world.server, world.trader, { ...wish, max_amount_in: amount_in })
    expect(refused).toMatchObject({ status: 200, code: 20007, data: { amount_in: expect.any(String) } })
    expect(refused.data).not.toHaveProperty('amount_out')
  })

  test('rejects a user who is not activated', { tags: ['§5.12', '§6.03'] }, async () => {
    const user = await world.server.newUser({ faucet: false })
    const reply = await world.server.call('doSwap', await swapPayload(world.server, { amount: '1' }), {
      token: user.token,
      locale: 'zh-HK',
    })
    expect(reply).toMatchObject({ status: 200, code: 20003, msg: '請先啟用帳戶再操作' })
  })

  test('rejects one unit more than available, with a separate RT code', {
    tags: ['§5.06', '§5.10', '§8.12', '§8.13'],
  }, async () => {
    expect(await trySwap(world.server, world.invited, { amount: '2.000000000000000001' })).toMatchObject({
      code: 20001,
      msg: 'Balance not enough',
    })
    expect(await trySwap(world.server, world.invited, { pool_id: 'rt-usdt', amount: '1' })).toMatchObject({
      code: 20002,
      msg: 'RT balance is insufficient',
    })
    expect(await world.invited.available('BNB')).toBe('2')
  })

  test('rejects a late deadline with the amount of the open side', async () => {
    const deadline = '2020-01-01T00:00:00Z'
    const late = (data: object) => ({ code: 20007, data: { reason: 'deadline_passed', ...data } })
    const amount = expect.stringMatching(/^\d+\.\d+$/)
    expect(await trySwap(world.server, world.invited, { amount: '1', deadline })).toMatchObject(
      late({ amount_out: amount }),
    )
    expect(await trySwap(world.server, world.invited, { amount: '50', exact: 'out', deadline })).toMatchObject(
      late({ amount_in: amount }),
    )
  })

  test('pays the referral share to the inviter, who sees it', async () => {
    const before = units(await world.trader.available('BNB'))
    const { transaction_id } = await swap(world.server, world.invited, { amount: '0.012345678901234567' })
    const { items } = await world.server.ok('logs', { kind: 'referral_share' }, { token: world.trader.token })
    expect(items).toEqual([
      expect.objectContaining({ amount: '0.000001975308624197', asset: 'BNB', reference: transaction_id }),
    ])
    expect(units(await world.trader.available('BNB')) - before).toBe(1_975_308_624_197n)
    const [row] = await world.server.db.query<{ units: bigint }>(
      `select units from balances where account = $1 and asset = 'BNB'`,
      [userAccount(world.trader.id, 'available')],
    )
    expect(row?.units).toBe(units(await world.trader.available('BNB')))
  })

  test('returns not found for an unknown pool in every call', async () => {
    const nothing = { status: 404, code: 20009 }
    expect(await trySwap(world.server, world.trader, { pool_id: 'doge-usdt', amount: '1' })).toMatchObject(nothing)
    const pool_id = 'doge-usdt'
    expect(await world.server.call('getQuote', { pool_id, amount: '1', inverse: 0 })).toMatchObject(nothing)
    expect(await world.server.call('swapKline', { pool_id, interval: '1m' })).toMatchObject(nothing)
    expect(await world.server.call('swapTrades', { pool_id })).toMatchObject(nothing)
  })

  test.each(['0', '0.0', '1.0000000000000000001', '-1', '1e1', ''])(
    'rejects an amount of "%s" as invalid input',
    async (amount) => {
      const invalid = { status: 400, code: 20000, data: { fields: { amount: expect.any(String) } } }
      expect(await trySwap(world.server, world.trader, { amount })).toMatchObject(invalid)
      expect(await world.server.call('getQuote', { pool_id: 'bnb-usdt', amount, inverse: 0 })).toMatchObject(invalid)
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
    const reply = await trySwap(world.server, world.trader, wish)
    expect(reply).toMatchObject({ status: 400, code: 20000, data: { fields: { [field]: expect.any(String) } } })
  })
})

describe('the outcome', () => testSwapOutcomes(world))
describe('the lists', () => testSwapLists(world))
describe('the chart', () => testSwapCandles(world))
describe('a suspension', () => testSuspension(world))

test('a suspended pool rejects swaps and quotes while others trade', { tags: ['§8.14'] }, async () => {
  // The sessions of the others have expired meanwhile.
  const user = await newTrader(world.server)
  const before = await reservesOf(world.server)
  const payload = { pool: 'bnb-usdt', kind: 'suspended', detail: 'a test' } as const
  await requestSigned(world.server, changePoolByOperator, payload)
  await world.server.ok('localAdvance', { seconds: 1 })
  const suspended = { status: 200, code: 20005, msg: 'Trading suspended', data: { reason: 'operator' } }
  expect(await trySwap(world.server, user, { amount: '0.1' })).toMatchObject(suspended)
  expect(await world.server.call('getQuote', { pool_id: 'bnb-usdt', amount: '1', inverse: 0 })).toMatchObject(suspended)
  expect(
    (await world.server.ok('pairs', {})).map(({ suspended, suspended_reason }) => [suspended, suspended_reason]),
  ).toEqual([
    [true, 'operator'],
    [false, null],
    [false, null],
  ])
  expect(await reservesOf(world.server)).toEqual(before)
  await swap(world.server, user, { pool_id: 'rt-usdt', amount: '10', inverse: 1 })
})

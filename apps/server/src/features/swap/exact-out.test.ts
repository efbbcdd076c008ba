import { quoteExactOut } from '@clearwell/rules/swap'
import { formatEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endExact, newKey, startTestServer, type TestServer } from '../../testing/server.ts'
import { newTrader, reservesOf, swap, swapPayload, trySwap, units } from './testing/traders.ts'

const FEES = { totalBps: 25n, revenueBps: 8n }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
}, 60_000)
afterAll(() => endExact(server))

describe('exact out', () => {
  test.each([
    ['sells BNB for exactly 100 USDT', 0, '100', 'USDT'],
    ['sells USDT for exactly 0.5 BNB', 1, '0.5', 'BNB'],
  ] as const)('%s, at the quoted cost', async (_what, inverse, amount, bought) => {
    const user = await newTrader(server)
    const before = await reservesOf(server)
    const had = units(await user.available(bought))
    const quote = await server.ok('getQuote', { pool_id: 'bnb-usdt', amount, inverse, exact: 'out' })
    const direction = inverse ? 'quote_to_base' : 'base_to_quote'
    const exact = quoteExactOut({ reserves: before, direction, amountOut: units(amount), fees: FEES })
    expect(quote).toMatchObject({
      amount_in: formatEther(exact?.amountIn ?? 0n),
      amount_out: formatEther(exact?.amountOut ?? 0n),
      fee: formatEther(exact?.fee ?? 0n),
      price_impact: formatEther(exact?.priceImpactE18 ?? 0n),
    })
    expect(Date.parse(quote.time)).toBeLessThan(Date.parse(quote.expires_at))
    const done = await swap(server, user, { amount, inverse, exact: 'out', max_amount_in: quote.amount_in })
    expect(done).toMatchObject({ status: 'completed', amount_in: quote.amount_in, amount_out: quote.amount_out })
    expect(await reservesOf(server)).toEqual(exact?.reservesAfter)
    const got = units(await user.available(bought)) - had
    // The requested amount, plus less than the value of one unit sold.
    expect(got).toBe(exact?.amountOut)
    expect(got - units(amount)).toBeGreaterThanOrEqual(0n)
    expect(got - units(amount)).toBeLessThan(1_000n)
  })

  test('accepts a limit of the exact cost, rejects one unit less', async () => {
    const user = await newTrader(server)
    const { amount_in } = await server.ok('getQuote', {
      pool_id: 'bnb-usdt',
      amount: '50',
      inverse: 0,
      exact: 'out',
    })
    const max_amount_in = formatEther(units(amount_in) - 1n)
    const before = await reservesOf(server)
    const refused = await trySwap(server, user, { amount: '50', exact: 'out', max_amount_in })
    expect(refused).toMatchObject({ status: 200, code: 20007, data: { amount_in } })
    expect(refused.data).not.toHaveProperty('amount_out')
    expect(await reservesOf(server)).toEqual(before)
    expect(await user.available('BNB')).toBe('2')
    const done = await swap(server, user, { amount: '50', exact: 'out', max_amount_in: amount_in })
    expect(done).toMatchObject({ amount_in })
  })

  test('rejects a swap after its deadline and reports the current cost', async () => {
    const user = await newTrader(server)
    const reply = await trySwap(server, user, { amount: '50', exact: 'out', deadline: '2020-01-01T00:00:00Z' })
    expect(reply).toMatchObject({
      code: 20007,
      data: { reason: 'deadline_passed', amount_in: expect.stringMatching(/^0\.0\d+$/) },
    })
  })

  test('rejects a swap that costs more than the available balance', async () => {
    const user = await newTrader(server)
    expect(await trySwap(server, user, { amount: '3', inverse: 1, exact: 'out' })).toMatchObject({ code: 20001 })
    const rt = { pool_id: 'rt-usdt', amount: '1', exact: 'out' } as const
    expect(await trySwap(server, user, rt)).toMatchObject({ code: 20002 })
  })

  test("rejects buying the pool's whole reserve or more", async () => {
    const user = await newTrader(server)
    const { base } = await reservesOf(server)
    for (const amount of [formatEther(base), '1000000000']) {
      const refused = { code: 20006, data: { reason: 'more than the pool can give' } }
      const order = { amount, inverse: 1, exact: 'out' } as const
      expect(await trySwap(server, user, order)).toMatchObject(refused)
      expect(await server.call('getQuote', { pool_id: 'bnb-usdt', ...order })).toMatchObject(refused)
    }
  })

  test.each([
    ['exact in without its limit', { amount: '1', min_amount_out: '' }, 'min_amount_out'],
    ['exact out without its limit', { amount: '1', exact: 'out', max_amount_in: '' }, 'max_amount_in'],
    ["exact in with the other's limit", { amount: '1', max_amount_in: '1' }, 'max_amount_in'],
    ["exact out with the other's limit", { amount: '1', exact: 'out', min_amount_out: '1' }, 'min_amount_out'],
    ['a limit with too many decimals', { amount: '1', exact: 'out', max_amount_in: '-1' }, 'max_amount_in'],
    ['an amount of zero', { amount: '0', exact: 'out' }, 'amount'],
    ['an unknown side', { amount: '1', exact: 'both' as 'out' }, 'exact'],
  ] as const)('%s is invalid input, and the field at fault is named', async (_what, wish, field) => {
    const user = await server.newUser({ faucet: false })
    const reply = await trySwap(server, user, wish)
    expect(reply).toMatchObject({ status: 400, code: 20000, data: { fields: { [field]: expect.any(String) } } })
  })

  test('returns a conflict for the same key with the other side', async () => {
    const user = await newTrader(server)
    const options = { token: user.token, key: newKey() }
    const order = await swapPayload(server, { amount: '0.1' })
    const first = await server.ok('doSwap', order, options)
    const { min_amount_out: _, ...rest } = order
    const other = { ...rest, exact: 'out', max_amount_in: '1' } as const
    expect(await server.call('doSwap', other, options)).toMatchObject({ status: 409, code: 20010 })
    expect(await server.ok('doSwap', { ...order, exact: 'in' }, options)).toEqual(first)
  })
})

describe('the outcome of a swap', () => {
  const status = (key: string, token: string) => server.call('getOrderStatus', { idempotency_key: key }, { token })

  test('returns completed, failed or not found by key, to the owner only', async () => {
    const [user, other] = [await newTrader(server), await newTrader(server)]
    const [done, refused, never] = [newKey(), newKey(), newKey()] as [string, string, string]
    const order = await swapPayload(server, { amount: '0.5' })
    const response = await server.ok('doSwap', order, { token: user.token, key: done })
    await server.call('doSwap', { ...order, amount: '3' }, { token: user.token, key: refused })
    expect((await status(done, user.token)).data).toEqual(response)
    expect((await status(refused, user.token)).data).toEqual({
      transaction_id: '',
      status: 'failed',
      reason: 'balance_not_enough',
      amount_in: '0',
      amount_out: '0',
      fee: '0',
    })
    const nothing = { status: 404, code: 20009 }
    expect(await status(never, user.token)).toMatchObject(nothing)
    for (const key of [done, refused]) expect(await status(key, other.token)).toMatchObject(nothing)
    const byId = { transaction_id: response.transaction_id }
    expect(await server.ok('getOrderStatus', byId, { token: user.token })).toEqual(response)
  })

  test('waits for a swap that is still queued', async () => {
    const user = await newTrader(server)
    const key = newKey()
    const order = await swapPayload(server, { amount: '0.5' })
    const [swapped, asked] = await Promise.all([
      server.ok('doSwap', order, { token: user.token, key }),
      server.ok('getOrderStatus', { idempotency_key: key }, { token: user.token }),
    ])
    expect(asked).toEqual(swapped)
  })

  test('returns not found for a key of another call', async () => {
    const user = await server.newUser()
    await user.transferIn('USDT', '20')
    const key = newKey()
    await server.ok('activeByBalance', {}, { token: user.token, key })
    expect(await status(key, user.token)).toMatchObject({ status: 404, code: 20009 })
  })

  test.each([
    ['no identifier', {}, 'transaction_id'],
    ['two identifiers', { transaction_id: 'x', idempotency_key: 'abcdefgh' }, 'idempotency_key'],
    ['a malformed key', { idempotency_key: 'short' }, 'idempotency_key'],
  ])('rejects %s as invalid input', async (_what, payload, field) => {
    const user = await server.newUser({ faucet: false })
    const reply = await server.call('getOrderStatus', payload, { token: user.token })
    expect(reply).toMatchObject({ status: 400, code: 20000, data: { fields: { [field]: expect.any(String) } } })
  })
})

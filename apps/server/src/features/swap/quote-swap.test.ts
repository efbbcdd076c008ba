import { refusalOf } from '@clearwell/ledger/testing/memory-ledger'
import { expect, test } from 'vitest'
import { fixedRule } from '../../testing/fixed-rule.ts'
import { BNB_POOL, RT_POOL, START, units } from '../../testing/swap-ledger.ts'
import type { PriceBand } from './pool-breaker.ts'
import type { PoolState } from './pool-view.ts'
import { type QuotedAmount, quoteNow } from './quote-swap.ts'

const reserves = { base: BNB_POOL.initialBase, quote: BNB_POOL.initialQuote }
const OPEN: PoolState = { pool: BNB_POOL, reserves, suspended: undefined, suspendedBy: undefined, at: START }

/** A quote for the pool of BNB, among other pools. */
const quote = (
  amount: QuotedAmount,
  { states = [OPEN], band = undefined as PriceBand | undefined, inverse = false } = {},
) =>
  quoteNow(
    {
      view: {
        states: async () => [{ ...OPEN, pool: RT_POOL, reserves: { base: 1n, quote: 1n } }, ...states],
      },
      clock: { now: () => new Date(START.getTime() + 500) },
      fees: fixedRule({ totalBps: 25n, revenueBps: 8n }),
      quoteTtlMs: 10_000,
      bandOf: (poolId) => (poolId === BNB_POOL.id ? band : undefined),
    },
    { pool: BNB_POOL, inverse, amount },
  )

test('a quote has the amounts, price and times of the swap', async () => {
  // As in execute-swap.test.ts. 1 BNB is 600 at the price of the pool.
  expect(await quote({ amountIn: units('1') })).toEqual({
    amount_in: '1',
    amount_out: '597.903591167810109415',
    amount_out_orginal: '600',
    price_impact: expect.stringMatching(/^0\.000996\d+$/),
    fee: '0.0025',
    price: '600',
    time: '2026-11-22T00:00:00.000Z',
    expires_at: '2026-11-22T00:00:10.500Z',
  })
  expect(await quote({ amountOut: units('0.5') }, { inverse: true })).toMatchObject({
    amount_in: '300.902330864680460532',
    amount_out: '0.5',
    fee: '0.752255827161701152',
  })
})

test('a swap has a quote up to the edge of the band', async () => {
  // The price after 1 BNB.
  const band = { lowE18: 598803_771_680_169_364_661n, highE18: units('600') }
  expect(await quote({ amountIn: units('1') }, { band })).toMatchObject({ amount_in: '1', fee: '0.0025' })
  await expect(quote({ amountIn: units('1') }, { band: { ...band, lowE18: band.lowE18 + 1n } })).rejects.toThrow()
})

test.each([
  ['in a pool that is not open', { states: [] }, { refusal: 'not_found', data: {} }],
  [
    'in a suspended pool',
    { states: [{ ...OPEN, suspended: { reason: 'operator', at: START } } as const] },
    { refusal: 'trading_suspended', data: { reason: 'operator' } },
  ],
  [
    'out of the band',
    { band: { lowE18: units('600'), highE18: units('610') } },
    { refusal: 'trading_suspended', data: { reason: 'price_deviation' } },
  ],
])('there is no quote %s', async (_where, market, refused) => {
  const error = await quote({ amountIn: units('1') }, market).catch((reason: unknown) => reason)
  expect(
    refusalOf(() => {
      throw error
    }),
  ).toEqual(refused)
})

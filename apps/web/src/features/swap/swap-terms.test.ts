import { expect, test } from 'vitest'
import {
  amountInFor,
  feesOf,
  impactLevel,
  obstacleOf,
  type Pair,
  previewQuote,
  readable,
  roundDecimals,
  termsAt,
  termsOf,
  textOf,
  typedUnits,
} from './swap-terms.ts'

const E18 = 10n ** 18n
const pair: Pair = {
  id: 'bnb-usdt',
  base: 'BNB',
  quote: 'USDT',
  symbol: 'BNBUSDT',
  price: '620',
  change_24h: '0',
  high_24h: '620',
  low_24h: '620',
  volume_24h: '0',
  reserve_base: '5000',
  reserve_quote: '3100000',
  fee: '0.0025',
  suspended: false,
}
const fees = feesOf({ swap_total: '0.0025', swap_revenue: '0.0008' })
const trade = { pair, inverse: false, fees }

test('the fees of the configuration become basis points', () => {
  expect(fees).toEqual({ totalBps: 25n, revenueBps: 8n })
})

test('the terms of selling 1 BNB are those of the constant-product formula, to the last unit', () => {
  const quote = previewQuote(trade, E18)
  if (!quote) throw new Error('there is something to trade')
  const terms = termsOf(trade, E18, quote, 50n)
  // 0.9975 × 3100000 ÷ 5000.9975, cut at 18 decimals; worked out with Python's fractions.
  expect(textOf(terms.amountOut, 'USDT')).toBe('618.326643834555006276')
  expect(textOf(terms.amountOutAtMid, 'USDT')).toBe('620')
  // 0.995 of it, rounded up: never looser than what was agreed to.
  expect(textOf(terms.minOut, 'USDT')).toBe('615.235010615382231245')
  expect([terms.fee, terms.feeToPool, terms.feeToRevenue].map((units) => textOf(units, 'BNB'))).toEqual([
    '0.0025',
    '0.0017',
    '0.0008',
  ])
})

test('the parts of a fee add up to it, for an amount that does not divide', () => {
  const amountIn = 1_234_567_890_123_456_789n
  const quote = previewQuote(trade, amountIn)
  if (!quote) throw new Error('there is something to trade')
  const { fee, feeToPool, feeToRevenue } = termsOf(trade, amountIn, quote, 50n)
  expect(feeToPool + feeToRevenue).toBe(fee)
})

test('what is typed to be bought is bought by what the form then sells', () => {
  const amountOut = 100n * E18
  const amountIn = amountInFor(trade, amountOut)
  if (amountIn === undefined) throw new Error('the pool holds that much')
  const shown = typedUnits(readable(textOf(amountIn, 'BNB'), 'up'), 'BNB') ?? 0n
  expect(previewQuote(trade, shown)?.amountOut).toBeGreaterThanOrEqual(amountOut)
  expect(amountInFor(trade, 3_100_000n * E18)).toBeUndefined()
})

test('a new figure keeps the slippage, and its fall counts as impact', () => {
  const quote = previewQuote(trade, E18)
  if (!quote) throw new Error('there is something to trade')
  const moved = termsAt(termsOf(trade, E18, quote, 50n), 500n * E18)
  expect(textOf(moved.minOut, 'USDT')).toBe('497.5')
  // 620 × 0.9975 = 618.45 at the first mid price; 118.45 of it are lost.
  expect(textOf(moved.priceImpactE18, 'USDT').slice(0, 8)).toBe('0.191527')
  expect(impactLevel(moved.priceImpactE18)).toBe('confirmed_twice')
})

test.each([
  ['0.029999999999999999', 'low'],
  ['0.03', 'warned'],
  ['0.099999999999999999', 'warned'],
  ['0.1', 'confirmed_twice'],
])('an impact of %s is %s', (impact, level) => {
  expect(impactLevel(typedUnits(impact, 'USDT') ?? 0n)).toBe(level)
})

test.each([
  ['nothing typed', 'no_amount', { typed: undefined }],
  ['zero typed', 'no_amount', { typed: 0n }],
  ['more than there is', 'balance_not_enough', { balance: E18 - 1n }],
  ['more RT than there is', 'rt_balance_not_enough', { sold: 'RT', balance: 0n }],
  ['exactly what there is', undefined, { balance: E18 }],
  ['a balance that is not known yet', undefined, { balance: undefined }],
  ['more than the pool holds', 'exceeds_pool', { amountIn: undefined }],
  ['an amount that buys nothing', 'too_small', { gives: 0n }],
  ['a suspended pool, before all else', 'suspended', { pair: { ...pair, suspended: true }, typed: undefined }],
] as const)('with %s the obstacle is %s', (_case, obstacle, change) => {
  const form = { pair, sold: 'BNB', typed: E18, amountIn: E18, balance: 5n * E18, gives: E18 } as const
  expect(obstacleOf({ ...form, ...change })).toBe(obstacle)
})

test.each([
  ['618.326643834555006276', 8, 'nearest', '618.32664383'],
  ['0.000000005', 8, 'nearest', '0.00000001'],
  ['0.0000000049', 8, 'nearest', '0'],
  ['0.0000000001', 8, 'up', '0.00000001'],
  ['1.999999999', 8, 'down', '1.99999999'],
] as const)('%s at %i decimals, %s, is %s', (text, places, rounding, rounded) => {
  expect(roundDecimals(text, places, rounding)).toBe(rounded)
})

test.each([
  ['0.123456789', '0.12345678'],
  ['3704.415326799', '3704.41532'],
  ['123456789.987654321', '123456789.98'],
])('%s fits into a field as %s', (text, shown) => {
  expect(readable(text, 'down')).toBe(shown)
})

test('a point with nothing behind it yet is no mistake', () => {
  expect(typedUnits('12.', 'BNB')).toBe(12n * E18)
  expect(typedUnits('', 'BNB')).toBeUndefined()
})

import { expect, test } from 'vitest'
import { BNB_POOL } from './swap.samples.ts'
import { exactUnits, textOf } from './swap-figures.ts'
import {
  type ExactSide,
  executionOf,
  feesOf,
  isPastLimit,
  lossLevel,
  movedAmounts,
  previewQuote,
  quoteOf,
  type SwapTerms,
  swapPayload,
  termsAt,
  termsOf,
  worstLoss,
} from './swap-terms.ts'

const E18 = 10n ** 18n
const fees = feesOf({ swap_total: '0.0025', swap_revenue: '0.0008' })
const trade = { pair: BNB_POOL, inverse: false, fees }
const DEADLINE = '2030-01-01T00:20:00.000Z'

function termsFor(exact: ExactSide, amount: bigint, slippageBps = 50n): SwapTerms {
  const quote = previewQuote(trade, { exact, amount })
  if (!quote) throw new Error('there is something to trade')
  return termsOf(trade, quote, { exact, amount, slippageBps })
}

test('converts configured fees to basis points', () => {
  expect(fees).toEqual({ totalBps: 25n, revenueBps: 8n })
})

test('selling 1 BNB follows the constant-product formula to the last unit', () => {
  const terms = termsFor('in', E18)
  // 0.9975 × 3100000 ÷ 5000.9975, cut at 18 decimals; worked out with Python's fractions.
  expect(textOf(terms.amountOut, 'USDT')).toBe('618.326643834555006276')
  expect(textOf(terms.amountOutAtMid, 'USDT')).toBe('620')
  // 0.995 of it, rounded up: never looser than the agreed limit.
  expect(textOf(terms.limit, 'USDT')).toBe('615.235010615382231245')
  expect([terms.fee, terms.feeToPool, terms.feeToRevenue].map((units) => textOf(units, 'BNB'))).toEqual([
    '0.0025',
    '0.0017',
    '0.0008',
  ])
})

test('buying 1,000 USDT follows the inverted formula to the last unit', () => {
  const terms = termsFor('out', 1_000n * E18)
  // 5000 × 1000 ÷ ((3100000 - 1000) × 0.9975), rounded up; worked out with Python's fractions.
  expect(textOf(terms.amountIn, 'BNB')).toBe('1.617467353443304939')
  expect(terms.amountOut).toBeGreaterThanOrEqual(1_000n * E18)
  // 1.005 of it, rounded down: never looser than the agreed limit.
  expect(textOf(terms.limit, 'BNB')).toBe('1.625554690210521463')
})

test.each(['in', 'out'] as const)('the parts of an odd fee with exact %s add up', (exact) => {
  const { fee, feeToPool, feeToRevenue } = termsFor(exact, 1_234_567_890_123_456_789n)
  expect(feeToPool + feeToRevenue).toBe(fee)
})

test('a preview needs an amount within the reserve and above dust', () => {
  expect(previewQuote(trade, { exact: 'out', amount: 3_100_000n * E18 })).toBeUndefined()
  expect(previewQuote({ ...trade, inverse: true }, { exact: 'in', amount: 1n })).toBeUndefined()
})

test('the payload fixes the typed amount and limits the other', () => {
  expect(swapPayload(trade, termsFor('in', E18), DEADLINE)).toEqual({
    pool_id: 'bnb-usdt',
    amount: '1',
    inverse: 0,
    min_amount_out: '615.235010615382231245',
    deadline: DEADLINE,
  })
  expect(swapPayload(trade, termsFor('out', 1_000n * E18), DEADLINE)).toEqual({
    pool_id: 'bnb-usdt',
    amount: '1000',
    inverse: 0,
    exact: 'out',
    max_amount_in: '1.625554690210521463',
    deadline: DEADLINE,
  })
})

test("reads the server's quote to the last unit", () => {
  const response = {
    amount_in: '1.617466923213508105',
    amount_out: '1000.000000000000000001',
    amount_out_orginal: '1002.8',
    price_impact: '0.000322581',
    fee: '0.0040436673080338',
    price: '620',
    time: '2030-01-01T00:00:00.000Z',
    expires_at: '2030-01-01T00:00:10.000Z',
  }
  expect(quoteOf(response, 'BNB', 'USDT')).toMatchObject({
    amountIn: 1_617_466_923_213_508_105n,
    amountOut: 1_000_000_000_000_000_000_001n,
    priceImpactE18: 322_581_000_000_000n,
  })
})

test('new sale terms keep the slippage and count the fall as impact', () => {
  const moved = termsAt(trade, termsFor('in', E18), { amountIn: E18, amountOut: 500n * E18 })
  expect(textOf(moved.limit, 'USDT')).toBe('497.5')
  // 620 × 0.9975 = 618.45 at the first mid price; 118.45 of it are lost.
  expect(textOf(moved.priceImpactE18, 'USDT').slice(0, 8)).toBe('0.191527')
  expect(lossLevel(moved.priceImpactE18)).toBe('confirmed_twice')
})

test('new purchase terms keep amount and slippage and show the impact', () => {
  const terms = termsFor('out', 1_000n * E18)
  const moved = termsAt(trade, terms, { amountIn: 2n * E18, amountOut: terms.amountOut })
  expect(moved.amount).toBe(1_000n * E18)
  expect(textOf(moved.limit, 'BNB')).toBe('2.01')
  expect(textOf(moved.fee, 'BNB')).toBe('0.005')
  // 2 BNB are worth 1240 at the first mid price, 1236.9 without the fee; 1 - 1000 ÷ 1236.9.
  expect(textOf(moved.priceImpactE18, 'USDT').slice(0, 8)).toBe('0.191527')
})

test('an amount one unit beyond the limit is past it', () => {
  const sale = termsFor('in', E18)
  expect(isPastLimit(sale, { ...sale, amountOut: sale.limit })).toBe(false)
  expect(isPastLimit(sale, { ...sale, amountOut: sale.limit - 1n })).toBe(true)
  const purchase = termsFor('out', E18)
  expect(isPastLimit(purchase, { ...purchase, amountIn: purchase.limit })).toBe(false)
  expect(isPastLimit(purchase, { ...purchase, amountIn: purchase.limit + 1n })).toBe(true)
})

test('reads the calculated amount from a refusal', () => {
  const sale = termsFor('in', E18)
  expect(movedAmounts(sale, { amount_out: '600' })).toEqual({ amountIn: E18, amountOut: 600n * E18 })
  const purchase = termsFor('out', E18)
  expect(movedAmounts(purchase, { amount_in: '2', amount_out: '9' })).toEqual({
    amountIn: 2n * E18,
    amountOut: purchase.amountOut,
  })
  for (const moved of [{}, { amount_in: '2' }, { amount_out: '1e3' }]) expect(movedAmounts(sale, moved)).toBeUndefined()
})

test.each([
  ['in', '100', '101', '10', '10', 'better', '0.01'],
  ['in', '100', '99.5', '10', '10', 'worse', '0.005'],
  ['in', '100', '100', '10', '10', 'same', '0'],
  ['out', '100', '100', '10', '9.9', 'better', '0.01'],
  ['out', '100', '100', '10', '10.1', 'worse', '0.01'],
] as const)('exact %s: %s quoted, %s done for %s→%s is %s by %s', (exact, out, outNow, paid, paidNow, was, by) => {
  const units = (text: string) => exactUnits(text, 'USDT')
  const quoted = { amountIn: units(paid), amountOut: units(out) }
  const done = { amountIn: units(paidNow), amountOut: units(outNow) }
  expect(executionOf(exact, { quoted, done })).toEqual({ was, fraction: by })
})

test.each([
  ['0.009999999999999999', 'low'],
  ['0.01', 'warned'],
  ['0.029999999999999999', 'warned'],
  ['0.03', 'confirmed_twice'],
])('a loss of %s is %s', (loss, level) => {
  expect(lossLevel(exactUnits(loss, 'USDT'))).toBe(level)
})

test.each([
  // 1 - 618.326643834555006276 ÷ 640; the pool's mid price is 620.
  ['640', false, E18, '0.033864619008507803'],
  // 618.326643834555006276 ÷ 610 - 1: the pool gives more than spot.
  ['610', false, E18, '-0.013650235794352469'],
  // 620 USDT buy 0.997301046909 BNB less than 1; at spot 640 they would buy 0.96875.
  ['640', true, 620n * E18, '-0.029'],
])('at spot %s, inverse %s, a swap loses against spot', (spot, inverse, amount, loss) => {
  const on = { ...trade, inverse, spot }
  const quote = previewQuote(on, { exact: 'in', amount })
  if (!quote) throw new Error('there is something to trade')
  const { spotLossE18 = 0n } = termsOf(on, quote, { exact: 'in', amount, slippageBps: 50n })
  const text = `${spotLossE18 < 0n ? '-' : ''}${textOf(spotLossE18 < 0n ? -spotLossE18 : spotLossE18, 'USDT')}`
  expect(text.startsWith(loss)).toBe(true)
})

test('the loss of another level decides, and impact where both are equal', () => {
  const terms = termsFor('in', E18)
  const of = (priceImpactE18: bigint, spotLossE18: bigint | undefined) =>
    worstLoss({ ...terms, priceImpactE18, spotLossE18 })
  expect(of(E18 / 50n, E18 / 25n)).toEqual({ by: 'spot', lossE18: E18 / 25n, level: 'confirmed_twice' })
  expect(of(E18 / 50n, E18 / 40n)).toEqual({ by: 'impact', lossE18: E18 / 50n, level: 'warned' })
  expect(of(0n, undefined)).toEqual({ by: 'impact', lossE18: 0n, level: 'low' })
})

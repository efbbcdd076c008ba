import { describe, expect, test } from 'vitest'
import { maxAmountIn, midPriceE18, minAmountOut, quoteExactIn, quoteExactOut, slippageE18 } from './swap.ts'

const fees = { totalBps: 25n, revenueBps: 8n }

describe('nothing to trade', () => {
  const direction = 'base_to_quote'
  test.each([
    ['a pool without base', { base: 0n, quote: 5n }, 10n],
    ['a pool without quote', { base: 5n, quote: 0n }, 10n],
    ['an empty pool', { base: 0n, quote: 0n }, 10n],
    ['an amount of zero', { base: 1000n, quote: 1000n }, 0n],
    ['an amount too small to buy one unit', { base: 1000n, quote: 1000n }, 1n],
  ])('%s is quoted as undefined', (_name, reserves, amountIn) => {
    expect(quoteExactIn({ reserves, direction, amountIn, fees })).toBeUndefined()
  })

  test('returns no quote for the whole reserve or for zero', () => {
    const reserves = { base: 1000n, quote: 1000n }
    for (const amountOut of [0n, 1000n, 1001n]) {
      expect(quoteExactOut({ reserves, direction, amountOut, fees })).toBeUndefined()
    }
    for (const empty of [
      { base: 0n, quote: 9n },
      { base: 9n, quote: 0n },
      { base: 0n, quote: 0n },
    ]) {
      expect(quoteExactOut({ reserves: empty, direction, amountOut: 1n, fees })).toBeUndefined()
    }
  })

  test('an empty pool has no mid price', () => {
    expect(midPriceE18({ base: 0n, quote: 1n })).toBeUndefined()
    expect(midPriceE18({ base: 1n, quote: 0n })).toBeUndefined()
  })
})

describe('throws', () => {
  const good = { reserves: { base: 10n, quote: 10n }, direction: 'base_to_quote', amountIn: 5n, fees } as const
  const [reserves, amount] = ['swap: reserves must not be negative', 'swap: the amount must not be negative']
  const invalid = 'swap: fees must be 0 ≤ revenueBps ≤ totalBps < 10000'

  test.each([
    ['a negative base', { reserves: { base: -1n, quote: 1n } }, reserves],
    ['a negative quote', { reserves: { base: 1n, quote: -1n } }, reserves],
    ['a negative amount', { amountIn: -1n }, amount],
    ['a fee of everything', { fees: { totalBps: 10_000n, revenueBps: 0n } }, invalid],
    ['revenue above the fee', { fees: { totalBps: 25n, revenueBps: 26n } }, invalid],
    ['negative revenue', { fees: { totalBps: 25n, revenueBps: -1n } }, invalid],
  ])('for %s', (_what, change, message) => {
    expect(() => quoteExactIn({ ...good, ...change })).toThrow(message)
  })

  test('for a negative amount to buy and negative reserves', () => {
    expect(() => quoteExactOut({ ...good, amountOut: -1n })).toThrow(amount)
    for (const negative of [
      { base: -1n, quote: 1n },
      { base: 1n, quote: -1n },
    ])
      expect(() => midPriceE18(negative)).toThrow('midPriceE18: reserves must not be negative')
  })

  test.each([10_001n, -1n])('for a slippage of %s bps, and limits of negative amounts', (slippageBps) => {
    expect(() => minAmountOut(1n, slippageBps)).toThrow('minAmountOut: slippageBps must be 0 to 10000')
    expect(() => maxAmountIn(1n, slippageBps)).toThrow('maxAmountIn: slippageBps must be 0 to 10000')
    expect(() => minAmountOut(-1n, 1n)).toThrow(RangeError)
    expect(() => maxAmountIn(-1n, 1n)).toThrow(RangeError)
  })

  test.each([
    ['in', 0n, 1n],
    ['out', -1n, 1n],
    ['in', -1n, 1n],
    ['out', 1n, -1n],
  ] as const)('for exact %s, quoted %s and executed %s', (exact, quoted, executed) => {
    expect(() => slippageE18({ exact, quoted, executed })).toThrow('amounts must not be negative, nor the quote zero')
  })
})

test('all of a fee may be revenue, and nearly all a fee', () => {
  const swap = {
    reserves: { base: 10n ** 9n, quote: 10n ** 9n },
    direction: 'base_to_quote',
    amountIn: 10n ** 6n,
  } as const
  expect(quoteExactIn({ ...swap, fees: { totalBps: 25n, revenueBps: 25n } })).toMatchObject({
    fee: 2_500n,
    revenue: 2_500n,
  })
  const most = { totalBps: 9_999n, revenueBps: 0n }
  expect(quoteExactIn({ ...swap, fees: most })).toMatchObject({ amountOut: 99n, fee: 999_900n, revenue: 0n })
})

test.each([
  [600_000n * 10n ** 18n, 1_000n * 10n ** 18n, 600n * 10n ** 18n],
  [1n, 3n, 333_333_333_333_333_333n],
  [2n, 3n, 666_666_666_666_666_666n],
  [10n ** 30n, 1n, 10n ** 48n],
])('the mid price of %s quote to %s base is %s', (quote, base, price) => {
  expect(midPriceE18({ base, quote })).toBe(price)
})

test.each([
  [10_000n, 50n, 9_950n],
  [10_001n, 50n, 9_951n], // 9950.995: up, or the caller would accept less than the share agreed to
  [1n, 50n, 1n],
  [1n, 10_000n, 0n],
  [999n, 0n, 999n],
  [0n, 50n, 0n],
])('%s with a slippage of %s bps is accepted from %s', (amountOut, slippageBps, least) => {
  expect(minAmountOut(amountOut, slippageBps)).toBe(least)
})

// Worked out by hand.
test.each([
  [10_000n, 50n, 10_050n],
  [10_001n, 50n, 10_051n], // 10051.005: down, or the caller would pay more than the share agreed to
  [199n, 50n, 199n], // 199.995
  [1n, 50n, 1n],
  [1n, 10_000n, 2n],
  [999n, 0n, 999n],
  [0n, 50n, 0n],
])('the limit for %s with %s bps is %3$s at most', (amountIn, slippageBps, most) => {
  expect(maxAmountIn(amountIn, slippageBps)).toBe(most)
})

// Worked out by hand.
test.each([
  ['what was quoted', 'in', 600n, 600n, 0n],
  ['one percent less bought', 'in', 600n, 594n, -(10n ** 16n)],
  ['one percent more bought', 'in', 600n, 606n, 10n ** 16n],
  ['a third less bought, shown as no less than a third', 'in', 3n, 2n, -333_333_333_333_333_334n],
  ['a third more bought, shown as no more than a third', 'in', 3n, 4n, 333_333_333_333_333_333n],
  ['nothing bought', 'in', 600n, 0n, -(10n ** 18n)],
  ['one percent more sold', 'out', 600n, 606n, -(10n ** 16n)],
  ['one percent less sold', 'out', 600n, 594n, 10n ** 16n],
  ['a third more sold', 'out', 3n, 4n, -333_333_333_333_333_334n],
  ['nothing sold', 'out', 600n, 0n, 10n ** 18n],
] as const)('%s, with exact %s, from %s to %s is %s', (_name, exact, quoted, executed, slippage) => {
  expect(slippageE18({ exact, quoted, executed })).toBe(slippage)
})

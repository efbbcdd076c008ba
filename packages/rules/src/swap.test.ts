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

test('quotes throw for negative amounts and invalid fees', () => {
  const good = { reserves: { base: 10n, quote: 10n }, direction: 'base_to_quote', amountIn: 5n, fees } as const
  expect(() => quoteExactIn({ ...good, amountIn: -1n })).toThrow(RangeError)
  expect(() => quoteExactIn({ ...good, reserves: { base: -1n, quote: 1n } })).toThrow(RangeError)
  expect(() => quoteExactIn({ ...good, reserves: { base: 1n, quote: -1n } })).toThrow(RangeError)
  expect(() => quoteExactIn({ ...good, fees: { totalBps: 10_000n, revenueBps: 0n } })).toThrow(RangeError)
  expect(() => quoteExactIn({ ...good, fees: { totalBps: 25n, revenueBps: 26n } })).toThrow(RangeError)
  expect(() => quoteExactIn({ ...good, fees: { totalBps: 25n, revenueBps: -1n } })).toThrow(RangeError)
  expect(() => quoteExactOut({ ...good, amountOut: -1n })).toThrow(RangeError)
  expect(() => midPriceE18({ base: -1n, quote: 1n })).toThrow(RangeError)
  expect(() => midPriceE18({ base: 1n, quote: -1n })).toThrow(RangeError)
  expect(() => minAmountOut(1n, 10_001n)).toThrow(RangeError)
  expect(() => minAmountOut(1n, -1n)).toThrow(RangeError)
  expect(() => minAmountOut(-1n, 1n)).toThrow(RangeError)
  expect(() => maxAmountIn(1n, 10_001n)).toThrow(RangeError)
  expect(() => maxAmountIn(1n, -1n)).toThrow(RangeError)
  expect(() => maxAmountIn(-1n, 1n)).toThrow(RangeError)
  expect(() => slippageE18({ exact: 'in', quoted: 0n, executed: 1n })).toThrow(RangeError)
  expect(() => slippageE18({ exact: 'out', quoted: -1n, executed: 1n })).toThrow(RangeError)
  expect(() => slippageE18({ exact: 'out', quoted: 1n, executed: -1n })).toThrow(RangeError)
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

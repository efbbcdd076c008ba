import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planArbitrage } from './arbitrage.ts'
import { midPriceE18, quoteExactIn } from './swap.ts'

const E18 = 10n ** 18n
const FEES = { totalBps: 25n, revenueBps: 8n }
const reserves = { base: 5_000n * E18, quote: 3_100_000n * E18 }
const rich = { base: 10n ** 12n * E18, quote: 10n ** 12n * E18 }

test('a pool within the tolerance is left alone, on either side', () => {
  for (const price of [614n, 620n, 626n]) {
    expect(planArbitrage({ reserves, spotE18: price * E18, toleranceBps: 100n, funds: rich })).toBeUndefined()
  }
})

test.each([101n, 99n])('a pool at %s is 100 basis points from 100', (price) => {
  const off = { reserves: { base: 100n * E18, quote: 100n * price * E18 }, spotE18: 100n * E18, funds: rich }
  expect(planArbitrage({ ...off, toleranceBps: 100n })).toBeUndefined()
  expect(planArbitrage({ ...off, toleranceBps: 99n })?.inverse).toBe(price > 100n ? 0 : 1)
})

test('arbitrage sells the asset that the pool lacks at market price', () => {
  // At 2,480 the pool's reserves are √(k ÷ 2480) = 2,500 BNB and √(k × 2480) = 6,200,000 USDT.
  const up = planArbitrage({ reserves, spotE18: 2_480n * E18, toleranceBps: 100n, funds: rich })
  expect(up).toEqual({ inverse: 1, amountIn: 3_100_000n * E18 })
  // At 155 they are 10,000 BNB and 1,550,000 USDT.
  const down = planArbitrage({ reserves, spotE18: 155n * E18, toleranceBps: 100n, funds: rich })
  expect(down).toEqual({ inverse: 0, amountIn: 5_000n * E18 })
})

test('arbitrage sells no more than it has, and nothing from nothing', () => {
  const spotE18 = 155n * E18
  const some = planArbitrage({ reserves, spotE18, toleranceBps: 100n, funds: { base: 7n, quote: 0n } })
  expect(some).toEqual({ inverse: 0, amountIn: 7n })
  const none = { base: 0n, quote: 10n }
  expect(planArbitrage({ reserves, spotE18, toleranceBps: 100n, funds: none })).toBeUndefined()
})

test('an empty pool and a market without a price are no occasion', () => {
  const empty = { base: 0n, quote: 0n }
  expect(planArbitrage({ reserves: empty, spotE18: E18, toleranceBps: 100n, funds: rich })).toBeUndefined()
  expect(planArbitrage({ reserves, spotE18: 0n, toleranceBps: 100n, funds: rich })).toBeUndefined()
})

test('one sale brings any pool within 0.5% of the market', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 10n ** 20n, max: 10n ** 28n }),
      fc.bigInt({ min: 10n ** 20n, max: 10n ** 28n }),
      fc.bigInt({ min: 2_500n, max: 40_000n }),
      (base, quote, times) => {
        const pool = { base, quote }
        const spotE18 = ((midPriceE18(pool) ?? 0n) * times) / 10_000n
        const plan = planArbitrage({
          reserves: pool,
          spotE18,
          toleranceBps: 100n,
          funds: { base: quote * base, quote: base * quote },
        })
        if (!plan) return
        const direction = plan.inverse ? 'quote_to_base' : 'base_to_quote'
        const swapped = quoteExactIn({ reserves: pool, direction, amountIn: plan.amountIn, fees: FEES })
        const after = midPriceE18(swapped?.reservesAfter ?? pool) ?? 0n
        const off = after > spotE18 ? after - spotE18 : spotE18 - after
        expect(off * 200n <= spotE18).toBe(true)
      },
    ),
  )
})

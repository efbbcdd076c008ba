import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type PoolReserves, quoteExactIn, quoteExactOut, type SwapDirection, type SwapQuote } from './swap.ts'
import { type AnySwap, anyFees, anySwap, anyUnits } from './testing/swaps.ts'

const runs = { numRuns: 1_000 }
const E18 = 10n ** 18n
const BPS = 10_000n
const FREE = { totalBps: 0n, revenueBps: 0n }

const opposite = (direction: SwapDirection): SwapDirection =>
  direction === 'base_to_quote' ? 'quote_to_base' : 'base_to_quote'
const k = (reserves: PoolReserves) => reserves.base * reserves.quote
const sideIn = (reserves: PoolReserves, direction: SwapDirection) =>
  direction === 'base_to_quote' ? reserves.base : reserves.quote
const sideOut = (reserves: PoolReserves, direction: SwapDirection) => sideIn(reserves, opposite(direction))
const bought = (quote: SwapQuote | undefined) => quote?.amountOut ?? 0n

describe('selling into any pool with any fees and amount', () => {
  test('the product of the reserves never falls and neither side empties', () => {
    fc.assert(
      fc.property(anySwap, (swap) => {
        for (const quote of [quoteExactIn(swap), quoteExactOut(swap)]) {
          if (!quote) continue
          expect(k(quote.reservesAfter)).toBeGreaterThanOrEqual(k(swap.reserves))
          expect(quote.reservesAfter.base > 0n && quote.reservesAfter.quote > 0n).toBe(true)
        }
      }),
      runs,
    )
  })

  test('buying one unit more without the fee would lower the product', () => {
    fc.assert(
      fc.property(anySwap, (swap) => {
        const { reserves, reserveIn, reserveOut, fees, amountIn } = swap
        const out = bought(quoteExactIn(swap))
        const netIn = reserveIn * BPS + amountIn * (BPS - fees.totalBps)
        expect(netIn * (reserveOut - out)).toBeGreaterThanOrEqual(k(reserves) * BPS)
        expect(netIn * (reserveOut - out - 1n)).toBeLessThan(k(reserves) * BPS)
      }),
      runs,
    )
  })

  test('a swap creates and loses no units', () => {
    fc.assert(
      fc.property(anySwap, (swap) => {
        const { reserveIn, reserveOut, direction } = swap
        for (const quote of [quoteExactIn(swap), quoteExactOut(swap)]) {
          if (!quote) continue
          expect(sideIn(quote.reservesAfter, direction) + quote.revenue).toBe(reserveIn + quote.amountIn)
          expect(sideOut(quote.reservesAfter, direction) + quote.amountOut).toBe(reserveOut)
        }
      }),
      runs,
    )
  })

  test('keeps revenue within the fee and the fee within the sale', () => {
    fc.assert(
      fc.property(anySwap, (swap) => {
        for (const quote of [quoteExactIn(swap), quoteExactOut(swap)]) {
          if (!quote) continue
          expect(quote.revenue >= 0n && quote.revenue <= quote.fee && quote.fee <= quote.amountIn).toBe(true)
          expect(quote.amountOut > 0n && quote.amountOut <= quote.amountOutAtMid).toBe(true)
          expect(quote.priceImpactE18 >= 0n && quote.priceImpactE18 <= E18).toBe(true)
        }
      }),
      runs,
    )
  })

  test('returns no quote exactly when the sale buys less than one unit', () => {
    const side = fc.oneof(fc.constant(0n), anyUnits)
    const amount = fc.oneof(fc.constant(0n), anyUnits)
    fc.assert(
      fc.property(side, side, amount, anyFees, (base, quote, amountIn, fees) => {
        const response = quoteExactIn({ reserves: { base, quote }, direction: 'base_to_quote', amountIn, fees })
        // One unit is bought where the product with one unit less is kept: (x + net)·(y - 1) ≥ x·y.
        const buysOne = (base * BPS + amountIn * (BPS - fees.totalBps)) * (quote - 1n) >= base * quote * BPS
        expect(response !== undefined).toBe(base > 0n && quote > 0n && buysOne)
      }),
      runs,
    )
  })

  test('swapping there and back never leaves a profit', () => {
    fc.assert(
      fc.property(anySwap, (swap) => {
        for (const there of [quoteExactIn(swap), quoteExactOut(swap)]) {
          if (!there) continue
          const back = { reserves: there.reservesAfter, direction: opposite(swap.direction), fees: swap.fees }
          expect(bought(quoteExactIn({ ...back, amountIn: there.amountOut }))).toBeLessThanOrEqual(there.amountIn)
          // Nor is what was sold bought back for less than it brought.
          const again = quoteExactOut({ ...back, amountOut: there.amountIn })
          if (again) expect(again.amountIn).toBeGreaterThanOrEqual(there.amountOut)
        }
      }),
      runs,
    )
  })

  test('a swap in two parts never pays more than in one', () => {
    fc.assert(
      fc.property(anySwap, anyUnits, (swap, second) => {
        const whole = quoteExactIn({ ...swap, amountIn: swap.amountIn + second })
        const one = quoteExactIn(swap)
        if (!one) return
        const two = quoteExactIn({ ...swap, reserves: one.reservesAfter, amountIn: second })
        expect(one.amountOut + bought(two)).toBeLessThanOrEqual(bought(whole))
      }),
      runs,
    )
  })

  test('two parts without a fee pay at most one unit less', () => {
    fc.assert(
      fc.property(anySwap, anyUnits, (swap, second) => {
        const free = { ...swap, fees: FREE }
        const one = quoteExactIn(free)
        if (!one) return
        const two = quoteExactIn({ ...free, reserves: one.reservesAfter, amountIn: second })
        const whole = quoteExactIn({ ...free, amountIn: swap.amountIn + second })
        expect(bought(whole) - one.amountOut - bought(two)).toBeOneOf([0n, 1n])
      }),
      runs,
    )
  })

  test('selling more never buys less', () => {
    fc.assert(
      fc.property(anySwap, anyUnits, (swap, extra) => {
        const more = quoteExactIn({ ...swap, amountIn: swap.amountIn + extra })
        expect(bought(more)).toBeGreaterThanOrEqual(bought(quoteExactIn(swap)))
      }),
      runs,
    )
  })

  test('a higher fee never buys more, regardless of its revenue part', () => {
    fc.assert(
      fc.property(anySwap, anyFees, (swap, other) => {
        const [low, high] = swap.fees.totalBps <= other.totalBps ? [swap.fees, other] : [other, swap.fees]
        expect(bought(quoteExactIn({ ...swap, fees: high }))).toBeLessThanOrEqual(
          bought(quoteExactIn({ ...swap, fees: low })),
        )
        const kept = { ...swap.fees, revenueBps: 0n }
        expect(bought(quoteExactIn({ ...swap, fees: kept }))).toBe(bought(quoteExactIn(swap)))
      }),
      runs,
    )
  })

  /** `amountOut` loses less than one unit to rounding, which counts as impact: that unit's share of the output at mid. */
  const dustE18 = ({ reserveIn, reserveOut, fees, amountIn }: AnySwap) =>
    (E18 * reserveIn * BPS) / (amountIn * (BPS - fees.totalBps) * reserveOut) + 1n

  test("the impact is the trade's share of the curve, within one unit", () => {
    fc.assert(
      fc.property(anySwap, (swap) => {
        const quote = quoteExactIn(swap)
        if (!quote) return
        const netIn = swap.amountIn * (BPS - swap.fees.totalBps)
        const used = netIn + swap.reserveIn * BPS
        expect(quote.priceImpactE18 * used).toBeGreaterThanOrEqual(netIn * E18)
        expect((quote.priceImpactE18 - dustE18(swap) - 1n) * used).toBeLessThanOrEqual(netIn * E18)
      }),
      runs,
    )
  })

  test('selling more never has a smaller impact, within one unit', () => {
    fc.assert(
      fc.property(anySwap, anyUnits, (swap, extra) => {
        const small = quoteExactIn(swap)
        const great = quoteExactIn({ ...swap, amountIn: swap.amountIn + extra })
        if (!small || !great) return
        expect(great.priceImpactE18).toBeGreaterThanOrEqual(small.priceImpactE18 - dustE18(swap) - 1n)
      }),
      runs,
    )
  })
})

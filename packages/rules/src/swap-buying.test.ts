import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { quoteExactIn, quoteExactOut } from './swap.ts'
import { anyFees, anySwap, anyUnits } from './testing/swaps.ts'

const runs = { numRuns: 1_000 }

describe('buying from any pool with any fees and amount', () => {
  test('quotes the least sale that buys the requested amount', () => {
    fc.assert(
      fc.property(anySwap, (swap) => {
        const quote = quoteExactOut(swap)
        if (!quote) return
        expect(quote.amountOut).toBeGreaterThanOrEqual(swap.amountOut)
        expect(quoteExactIn({ ...swap, amountIn: quote.amountIn })).toEqual(quote)
        expect(quoteExactIn({ ...swap, amountIn: quote.amountIn - 1n })?.amountOut ?? 0n).toBeLessThan(swap.amountOut)
      }),
      runs,
    )
  })

  test('buying the result of a sale never costs more than the sale', () => {
    fc.assert(
      fc.property(anySwap, (swap) => {
        const sale = quoteExactIn(swap)
        if (!sale) return
        const purchase = quoteExactOut({ ...swap, amountOut: sale.amountOut })
        expect(purchase?.amountIn).toBeLessThanOrEqual(swap.amountIn)
        expect(purchase?.amountOut).toBe(sale.amountOut)
      }),
      runs,
    )
  })

  test('quotes any amount below the reserve and no other', () => {
    const amount = fc.oneof(fc.constant(0n), anyUnits)
    const side = fc.oneof(fc.constant(0n), anyUnits)
    fc.assert(
      fc.property(side, side, amount, fc.boolean(), anyFees, (base, quote, wanted, last, fees) => {
        const amountOut = last && quote > 0n ? quote - (wanted % 3n) : wanted
        if (amountOut < 0n) return
        const response = quoteExactOut({ reserves: { base, quote }, direction: 'base_to_quote', amountOut, fees })
        expect(response !== undefined).toBe(base > 0n && amountOut > 0n && amountOut < quote)
      }),
      runs,
    )
  })

  test('buying more never costs less', () => {
    fc.assert(
      fc.property(anySwap, anyUnits, (swap, extra) => {
        const less = quoteExactOut(swap)
        const more = quoteExactOut({ ...swap, amountOut: swap.amountOut + (extra % swap.reserveOut) })
        if (less && more) expect(more.amountIn).toBeGreaterThanOrEqual(less.amountIn)
      }),
      runs,
    )
  })

  test('a higher fee never costs less', () => {
    fc.assert(
      fc.property(anySwap, anyFees, (swap, other) => {
        const [low, high] = swap.fees.totalBps <= other.totalBps ? [swap.fees, other] : [other, swap.fees]
        const [cheap, dear] = [quoteExactOut({ ...swap, fees: low }), quoteExactOut({ ...swap, fees: high })]
        expect(dear?.amountIn ?? 0n).toBeGreaterThanOrEqual(cheap?.amountIn ?? 0n)
      }),
      runs,
    )
  })

  test('a purchase in two parts never costs less than in one', () => {
    fc.assert(
      fc.property(anySwap, anyUnits, (swap, extra) => {
        const second = (extra % swap.reserveOut) + 1n
        const one = quoteExactOut(swap)
        const two = one && quoteExactOut({ ...swap, reserves: one.reservesAfter, amountOut: second })
        if (!one || !two) return
        const whole = quoteExactOut({ ...swap, amountOut: swap.amountOut + second })
        expect(whole?.amountIn).toBeLessThanOrEqual(one.amountIn + two.amountIn)
      }),
      runs,
    )
  })
})

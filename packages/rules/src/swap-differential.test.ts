import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { quoteExactIn, quoteExactOut, type SwapDirection, type SwapFees } from './swap.ts'
import { leastSold, sellExactly } from './testing/swap-rational.ts'
import { anySwap, DIRECTIONS, poolOf } from './testing/swaps.ts'

/** A swap by the side that is sold into and the side that is bought from. */
interface Case {
  readonly reserveIn: bigint
  readonly reserveOut: bigint
  readonly direction: SwapDirection
  readonly fees: SwapFees
}

function expectSameSale(swap: Case & { readonly amountIn: bigint }): void {
  const { reserveIn, reserveOut, direction, fees, amountIn } = swap
  const quote = quoteExactIn({ reserves: poolOf(reserveIn, reserveOut, direction), direction, amountIn, fees })
  const rational = sellExactly(swap)
  if (!rational) {
    expect(quote).toBeUndefined()
    return
  }
  const { reserveInAfter, reserveOutAfter, ...figures } = rational
  const reservesAfter = poolOf(reserveInAfter, reserveOutAfter, direction)
  expect(quote).toEqual({ ...figures, amountIn, reservesAfter })
}

function expectSamePurchase(swap: Case & { readonly amountOut: bigint }): void {
  const { reserveIn, reserveOut, direction, fees, amountOut } = swap
  const quote = quoteExactOut({ reserves: poolOf(reserveIn, reserveOut, direction), direction, amountOut, fees })
  if (amountOut >= reserveOut) {
    expect(quote).toBeUndefined()
    return
  }
  const amountIn = leastSold(swap)
  const { amountOut: bought } = sellExactly({ ...swap, amountIn })!
  expect(quote).toMatchObject({ amountIn, amountOut: bought })
}

describe('the swap in integers and the swap in exact fractions', () => {
  test('integers and fractions agree on thousands of random swaps', () => {
    fc.assert(
      fc.property(anySwap, (swap) => {
        expectSameSale(swap)
        expectSamePurchase(swap)
      }),
      { numRuns: 3_000 },
    )
  })

  const EDGES = [1n, 2n, 3n, 9_999n, 10_000n, 10_001n, 10n ** 18n, 10n ** 30n - 1n, 10n ** 30n]
  const EDGE_FEES: SwapFees[] = [
    { totalBps: 0n, revenueBps: 0n },
    { totalBps: 1n, revenueBps: 1n },
    { totalBps: 25n, revenueBps: 8n },
    { totalBps: 30n, revenueBps: 0n },
    { totalBps: 9_999n, revenueBps: 0n },
    { totalBps: 9_999n, revenueBps: 9_999n },
  ]

  test.each(EDGE_FEES)('integers and fractions agree on edges: $totalBps bps, $revenueBps bps revenue', (fees) => {
    let compared = 0
    for (const direction of DIRECTIONS) {
      for (const reserveIn of EDGES) {
        for (const reserveOut of EDGES) {
          for (const amount of EDGES) {
            expectSameSale({ reserveIn, reserveOut, direction, fees, amountIn: amount })
            expectSamePurchase({ reserveIn, reserveOut, direction, fees, amountOut: amount })
            compared += 1
          }
          // All but one unit of the pool, which is the dearest purchase there is.
          if (reserveOut > 1n) {
            expectSamePurchase({ reserveIn, reserveOut, direction, fees, amountOut: reserveOut - 1n })
          }
        }
      }
    }
    expect(compared).toBe(DIRECTIONS.length * EDGES.length ** 3)
  })

  test('integers and fractions agree in every small pool', () => {
    for (const fees of EDGE_FEES) {
      for (let reserveIn = 1n; reserveIn <= 6n; reserveIn += 1n) {
        for (let reserveOut = 1n; reserveOut <= 6n; reserveOut += 1n) {
          for (let amount = 1n; amount <= 12n; amount += 1n) {
            const pool = { reserveIn, reserveOut, direction: 'base_to_quote', fees } as const
            expectSameSale({ ...pool, amountIn: amount })
            expectSamePurchase({ ...pool, amountOut: amount })
          }
        }
      }
    }
  })
})

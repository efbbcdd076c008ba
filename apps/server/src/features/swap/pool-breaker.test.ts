import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bandAround, isMoveAllowed } from './pool-breaker.ts'

const E18 = 10n ** 18n
const at = (price: bigint) => ({ lowestE18: price, highestE18: price })

describe('the band', () => {
  test('spans a tenth below to a tenth above the spot price', () => {
    expect(bandAround(at(620n * E18), 1_000n)).toEqual({ lowE18: 558n * E18, highE18: 682n * E18 })
  })

  test('rounds the band inwards, never wider than the limit', () => {
    // 7 × 0.9 = 6.3 and 7 × 1.1 = 7.7.
    expect(bandAround(at(7n), 1_000n)).toEqual({ lowE18: 7n, highE18: 7n })
  })

  test('measures the hourly band from the farthest price', () => {
    const hour = { lowestE18: 100n * E18, highestE18: 120n * E18 }
    expect(bandAround(hour, 3_000n)).toEqual({ lowE18: 84n * E18, highE18: 130n * E18 })
  })

  test('contains exactly the prices within the limit', () => {
    const prices = fc.bigInt({ min: 1n, max: 10n ** 24n })
    fc.assert(
      fc.property(prices, prices, prices, fc.bigInt({ min: 1n, max: 9_999n }), (one, other, price, limit) => {
        const range = one < other ? { lowestE18: one, highestE18: other } : { lowestE18: other, highestE18: one }
        const { lowE18, highE18 } = bandAround(range, limit)
        const { lowestE18, highestE18 } = range
        const isWithin = (from: bigint) => (price > from ? price - from : from - price) * 10_000n <= from * limit
        // The farthest price of the range decides on each side.
        const above = price <= lowestE18 || isWithin(lowestE18)
        const below = price >= highestE18 || isWithin(highestE18)
        expect(price >= lowE18 && price <= highE18).toBe(above && below)
      }),
    )
  })
})

describe('a swap', () => {
  const band = { lowE18: 90n, highE18: 110n }
  test.each([
    ['inside', 100n, 105n, true],
    ['to either end', 100n, 110n, true],
    ['to the other end', 100n, 90n, true],
    ['below the other end by nothing', 89n, 89n, false],
    ['beyond an end', 100n, 111n, false],
    ['from beyond an end farther away', 115n, 116n, false],
    ['from beyond an end nearer to it, though not inside yet', 120n, 115n, true],
    ['from beyond an end back inside', 120n, 100n, true],
    ['from beyond one end to beyond the other', 112n, 89n, false],
    ['from beyond the other end to beyond the one', 89n, 112n, false],
    ['that moves a pool beyond an end by nothing', 112n, 112n, false],
    ['to nothing', 100n, 0n, false],
  ])('%s: %i to %i is allowed: %s', (_where, before, afterE18, allowed) => {
    expect(isMoveAllowed({ priceBefore: () => before, afterE18, band })).toBe(allowed)
  })

  test('may only move toward an empty band, from either side', () => {
    const empty = { lowE18: 110n, highE18: 90n }
    const allowed = (before: bigint, afterE18: bigint) =>
      isMoveAllowed({ priceBefore: () => before, afterE18, band: empty })
    expect([allowed(80n, 85n), allowed(85n, 80n), allowed(120n, 115n), allowed(115n, 120n)]).toEqual([
      true,
      false,
      true,
      false,
    ])
  })

  test('a swap that ends inside the band skips the price before', () => {
    const priceBefore = () => {
      throw new Error('asked')
    }
    expect(isMoveAllowed({ priceBefore, afterE18: 100n, band })).toBe(true)
  })
})

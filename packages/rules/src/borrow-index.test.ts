import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  debtOfAllShares,
  debtOfShares,
  EXPONENT_SCALE,
  growIndex,
  interestBetween,
  RAY,
  sharesOfLoan,
  sharesOfPayment,
} from './borrow-index.ts'

/** Up to e^3, most of them the growth of seconds to days. */
const anyExponent = fc
  .tuple(fc.integer({ min: 0, max: 36 }), fc.bigInt({ min: 0n, max: 3n * EXPONENT_SCALE }))
  .map(([digits, exponent]) => exponent % (3n * 10n ** BigInt(digits) + 1n))
const anyIndex = fc.bigInt({ min: RAY, max: 100n * RAY })
const anyAmount = fc.bigInt({ min: 1n, max: 10n ** 27n })

describe('growIndex', () => {
  /** Source: Python's `decimal` at 60 digits, exp(x), then ceil at 10^27. */
  test.each<[string, bigint, bigint]>([
    ['0', 0n, 1_000_000_000_000_000_000_000_000_000n],
    ['10^-36', 1n, 1_000_000_000_000_000_000_000_000_001n],
    ['0.045', 45n * 10n ** 33n, 1_046_027_859_908_716_942_713_440_265n],
    ['1', 10n ** 36n, 2_718_281_828_459_045_235_360_287_472n],
    ['3', 3n * 10n ** 36n, 20_085_536_923_187_667_740_928_529_655n],
    ['10', 10n ** 37n, 22_026_465_794_806_716_516_957_900_645_285n],
  ])('by an exponent of %s agrees with 60 digits', (_, exponent, index) => {
    expect(growIndex(RAY, exponent)).toBe(index)
  })

  test('in two steps differs from one step by rounding only', () => {
    fc.assert(
      fc.property(anyIndex, anyExponent, anyExponent, (index, a, b) => {
        const once = growIndex(index, a + b)
        const twice = growIndex(growIndex(index, a), b)
        expect(twice).toBeGreaterThanOrEqual(once)
        // The first rounding grows with the index, and the second adds one unit.
        expect(twice - once).toBeLessThanOrEqual(growIndex(RAY, b) / RAY + 2n)
      }),
      { numRuns: 1_000 },
    )
  })
})

test('a debt of shares exceeds the loan by at most one share', () => {
  fc.assert(
    fc.property(anyAmount, anyIndex, (amount, index) => {
      const debt = debtOfShares(sharesOfLoan(amount, index), index)
      expect(debt).toBeGreaterThanOrEqual(amount)
      expect(debt).toBeLessThanOrEqual(amount + index / RAY + 1n)
    }),
  )
})

test('a payment never ends more debt than it pays', () => {
  fc.assert(
    fc.property(anyAmount, anyIndex, (amount, index) => {
      expect(debtOfShares(sharesOfPayment(amount, index), index)).toBeLessThanOrEqual(amount)
    }),
  )
})

test('all debts are rounded down together, one is rounded up', () => {
  const index = RAY + RAY / 3n
  expect(debtOfShares(1n, index)).toBe(2n)
  expect(debtOfAllShares(1n, index)).toBe(1n)
  expect(debtOfAllShares(3n, index)).toBe(3n)
})

test('interest between two readings of an index is rounded up', () => {
  expect(interestBetween(1_000n, RAY, RAY + RAY / 100n)).toBe(10n)
  expect(interestBetween(1_001n, RAY, RAY + RAY / 100n)).toBe(11n)
  expect(interestBetween(1_000n, RAY, RAY)).toBe(0n)
  expect(interestBetween(1_000n, RAY, RAY - 1n)).toBe(0n)
})

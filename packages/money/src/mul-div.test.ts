import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mulDiv } from './mul-div.ts'

const operand = fc.bigInt({ min: 0n, max: 2n ** 256n })
const divisor = fc.bigInt({ min: 1n, max: 2n ** 256n })

test.each([
  [0n, 0n, 1n, 0n, 0n],
  [7n, 1n, 2n, 3n, 4n],
  [6n, 1n, 2n, 3n, 3n],
  [1n, 1n, 3n, 0n, 1n],
  [10n, 25n, 10_000n, 0n, 1n],
  [10n ** 18n, 25n, 10_000n, 2_500_000_000_000_000n, 2_500_000_000_000_000n],
  [2n ** 256n - 1n, 2n ** 256n - 1n, 2n ** 256n - 1n, 2n ** 256n - 1n, 2n ** 256n - 1n],
  // Beyond 2^53 a float would lose the last digit: 9007199254740993 × 1 ÷ 1.
  [9_007_199_254_740_993n, 1n, 1n, 9_007_199_254_740_993n, 9_007_199_254_740_993n],
])('%s × %s ÷ %s is %s rounded down and %s rounded up', (a, b, c, down, up) => {
  expect(mulDiv(a, b, c, 'down')).toBe(down)
  expect(mulDiv(a, b, c, 'up')).toBe(up)
})

test('mulDiv down returns the greatest integer not above the fraction', () => {
  fc.assert(
    fc.property(operand, operand, divisor, (a, b, c) => {
      const q = mulDiv(a, b, c, 'down')
      // q ≤ a·b/c < q + 1, multiplied by c so that no division is left to trust.
      expect(q * c <= a * b && a * b < (q + 1n) * c).toBe(true)
    }),
  )
})

test('mulDiv up returns the smallest integer not below the fraction', () => {
  fc.assert(
    fc.property(operand, operand, divisor, (a, b, c) => {
      const q = mulDiv(a, b, c, 'up')
      expect((q - 1n) * c < a * b && a * b <= q * c).toBe(true)
    }),
  )
})

test('mulDiv up and down agree only if there is no remainder', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 1000n }), fc.bigInt({ min: 0n, max: 1000n }), divisor, (a, b, c) => {
      const gap = mulDiv(a, b, c, 'up') - mulDiv(a, b, c, 'down')
      expect(gap).toBe((a * b) % c === 0n ? 0n : 1n)
    }),
  )
})

test('the order of the two factors does not matter', () => {
  fc.assert(
    fc.property(operand, operand, divisor, fc.constantFrom('down' as const, 'up' as const), (a, b, c, rounding) => {
      expect(mulDiv(a, b, c, rounding)).toBe(mulDiv(b, a, c, rounding))
    }),
  )
})

test('mulDiv throws for a negative operand', () => {
  expect(() => mulDiv(-1n, 1n, 1n, 'down')).toThrow(RangeError)
  expect(() => mulDiv(1n, -1n, 1n, 'down')).toThrow(RangeError)
})

test('mulDiv throws for a divisor of zero or below', () => {
  // The language's own error for a division by zero is a RangeError too.
  expect(() => mulDiv(1n, 1n, 0n, 'up')).toThrow('mulDiv: divisor must be positive')
  expect(() => mulDiv(1n, 1n, -1n, 'up')).toThrow('mulDiv: divisor must be positive')
})

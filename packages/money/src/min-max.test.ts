import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maxUnits, minUnits } from './min-max.ts'

test.each([
  [1n, 2n],
  [-2n, 1n],
  [0n, 10n ** 40n],
  // A float could not tell these two apart.
  [9_007_199_254_740_992n, 9_007_199_254_740_993n],
])('minUnits and maxUnits order %s and %s either way', (small, great) => {
  expect([minUnits(small, great), minUnits(great, small)]).toEqual([small, small])
  expect([maxUnits(small, great), maxUnits(great, small)]).toEqual([great, great])
})

test('minUnits and maxUnits return the two arguments in order', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt(), (a, b) => {
      expect(minUnits(a, b)).toBeLessThanOrEqual(maxUnits(a, b))
      expect(minUnits(a, b) + maxUnits(a, b)).toBe(a + b)
      expect([a, b]).toContain(minUnits(a, b))
    }),
  )
})

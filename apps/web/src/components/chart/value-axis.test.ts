import { expect, test } from 'vitest'
import { axisDecimals, formatAxisValue } from './value-axis.ts'

test.each([
  [[900, 1_300], 0],
  [[1_000, 1_010], 1],
  [[0.5, 1.5], 2],
  [[0.011, 0.012], 5],
  [[1e-20, 2e-20], 8],
  [[5, 5], 2],
  [[], 2],
])('an axis over %j has %i decimals', (values, decimals) => {
  expect(axisDecimals(values)).toBe(decimals)
})

test('a mark is grouped and has every decimal of its axis', () => {
  expect(formatAxisValue(12_345.5, 2)).toBe('12,345.50')
  expect(formatAxisValue(-0.5, 0)).toBe('-1')
})

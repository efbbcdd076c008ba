import { expect, test } from 'vitest'
import { cleanAmountInput, percentOf } from './amount-input.ts'

test.each([
  ['12.5', '12.5'],
  ['', ''],
  ['.5', '0.5'],
  ['1,234.5', '1234.5'],
  ['１２．５', '12.5'],
  ['007', '7'],
  ['1.', '1.'],
  ['1.2.3', undefined],
  ['1e5', undefined],
  ['-1', undefined],
  ['0x10', undefined],
  ['1.123', undefined],
])('typing %j with two decimals gives %j', (typed, cleaned) => {
  expect(cleanAmountInput(typed, 2)).toBe(cleaned)
})

test('a percentage of a balance is cut down to the last unit', () => {
  expect(percentOf('0.000000000000000003', 50, 18)).toBe('0.000000000000000001')
  expect(percentOf('100', 25, 18)).toBe('25')
  expect(percentOf('123.456', 100, 18)).toBe('123.456')
})

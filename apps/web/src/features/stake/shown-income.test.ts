import { expect, test } from 'vitest'
import { shownIncome, shownPledge } from './shown-income.ts'

test.each([
  ['-0.000000000000000001', '0'],
  ['-0.000000000000000005', '-0.000000000000000005'],
  ['0.000000000000000001', '0.000000000000000001'],
])('an income of %s shows as %s', (income, shown) => {
  expect(shownIncome(income)).toBe(shown)
})

test.each([
  ['199.999999999999999999', '200'],
  ['199.999999999999999995', '199.999999999999999995'],
  ['200', '200'],
  ['0.5', '0.5'],
  ['200.000000000000000001', '200.000000000000000001'],
])('a pledge of %s shows as %s', (total, shown) => {
  expect(shownPledge(total)).toBe(shown)
})

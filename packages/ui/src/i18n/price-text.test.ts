import { expect, test } from 'vitest'
import { exactPrice, formatPrice, priceDecimals } from './price-text.ts'

test.each([
  ['65000.1', 2],
  ['3300', 2],
  ['620.123', 2],
  ['62.5', 3],
  ['1', 4],
  ['0.1', 5],
  ['0.0123', 6],
  ['0.000000001', 10],
  ['0', 2],
  ['0.000', 2],
])('prices of about %s have %i decimals', (price, decimals) => {
  expect(priceDecimals(price)).toBe(decimals)
})

test.each([
  ['65000.1', 2, '65,000.10'],
  ['620.129', 2, '620.12'],
  ['0.1', 5, '0.10000'],
  ['0.000001', 2, '<0.01'],
  ['0', 2, '0.00'],
])('%s with %i decimals is %s', (price, decimals, text) => {
  expect(formatPrice(price, decimals)).toBe(text)
})

test.each([
  ['638.3', '638.30'],
  ['1300', '1,300.00'],
  ['12345.678901234567890123', '12,345.678901234567890123'],
  ['0.000000000000000001', '0.000000000000000001'],
  ['1.250', '1.25'],
])('the typed price %s reads %s', (price, text) => {
  expect(exactPrice(price)).toBe(text)
})

import { expect, test } from 'vitest'
import { formatAmount, formatPercent, formatUsdt, shortHex } from './format.ts'

test.each([
  ['0', {}, '0'],
  ['1234567.891', {}, '1,234,567.891'],
  ['100', {}, '100'],
  ['0.123456789', {}, '0.123456'],
  ['1.999999999', { places: 2 }, '1.99'],
  ['0.0000001', {}, '<0.000001'],
  ['0.000000000000000001', { places: 8 }, '<0.00000001'],
  ['0.4', { places: 0 }, '<1'],
  ['-12.5', {}, '−12.5'],
  ['-0.0000001', {}, '−<0.000001'],
  ['12.5', { signed: true }, '+12.5'],
  ['0', { signed: true }, '0'],
  ['123456789012345678901234567890.5', {}, '123,456,789,012,345,678,901,234,567,890.5'],
])('the amount %s with %o reads %s', (amount, options, text) => {
  expect(formatAmount(amount, options)).toBe(text)
})

test('the currency of account always shows two decimals', () => {
  expect(formatUsdt('1234.5')).toBe('1,234.50')
  expect(formatUsdt('0')).toBe('0.00')
  expect(formatUsdt('0.001')).toBe('<0.01')
})

test('a fraction becomes a percentage without floating point', () => {
  expect(formatPercent('0.045')).toBe('4.5%')
  expect(formatPercent('0.0025')).toBe('0.25%')
  expect(formatPercent('1')).toBe('100%')
  expect(formatPercent('-0.012', { signed: true })).toBe('−1.2%')
  expect(formatPercent('0.29')).toBe('29%')
})

test('a hash is shortened, a short text is not', () => {
  expect(shortHex('0x1234567890abcdef1234567890abcdef12345678')).toBe('0x1234…5678')
  expect(shortHex('0x12')).toBe('0x12')
})

import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { beforeEach, expect, test } from 'vitest'
import {
  exactly,
  exactUnits,
  executionPrice,
  inverseRate,
  paid,
  priceIn,
  readable,
  received,
  roundDecimals,
  typedAmount,
  worthUsdt,
} from './swap-figures.ts'

beforeEach(() => showLocale('zh-HK'))

const E18 = 10n ** 18n
const pair = { base: 'BNB', quote: 'USDT', price: '620.5' } as const

test.each([
  ['618.326643834555006276', 8, 'nearest', '618.32664383'],
  ['0.000000005', 8, 'nearest', '0.00000001'],
  ['0.0000000049', 8, 'nearest', '0'],
  ['0.0000000001', 8, 'up', '0.00000001'],
  ['1.999999999', 8, 'down', '1.99999999'],
] as const)('%s at %i decimals, rounded %s, is %s', (text, decimals, rounding, rounded) => {
  expect(roundDecimals(text, decimals, rounding)).toBe(rounded)
})

test.each([
  ['0.123456789', '0.123456'],
  ['0.00123456789', '0.00123456'],
  ['3704.415326799', '3704.41532'],
  ['123456789.987654321', '123456789.98'],
])('%s shortens to %s for a field', (text, shown) => {
  expect(readable(text, 'down')).toBe(shown)
})

test('received amounts round down, paid amounts round up', () => {
  const units = exactUnits('1234.567890999999999999', 'USDT')
  expect(received(units, 'USDT')).toBe('1,234.56789 USDT')
  expect(paid(units, 'USDT')).toBe('1,234.567891 USDT')
  expect(paid(exactUnits('0.000000015', 'BNB'), 'BNB')).toBe('0.00000002 BNB')
  // A tiny fee shows as "<", so that it never looks greater than the sold amount.
  expect(paid(exactUnits('0.000000000000000001', 'BNB'), 'BNB')).toBe('<0.00000001 BNB')
  expect(exactly('1234.567890999999999999', 'USDT')).toBe('1,234.567890999999999999 USDT')
})

test('a typed amount is cut with a mark, never rounded', () => {
  expect(typedAmount(exactUnits('1500.123456789', 'USDT'), 'USDT')).toBe('1,500.123456… USDT')
  expect(typedAmount(exactUnits('1500.5', 'USDT'), 'USDT')).toBe('1,500.5 USDT')
})

test('throws on a response that is not an amount of its asset', () => {
  expect(() => exactUnits('1e3', 'BNB')).toThrow(TypeError)
})

test('inverts a rate, and returns nothing for zero', () => {
  // 1 ÷ 618.32664383, by Python's decimal.
  expect(inverseRate('618.32664383')).toBe('0.001617268170437979')
  expect(inverseRate('0')).toBeUndefined()
})

test('values only the asset that has a price in USDT', () => {
  expect(worthUsdt('2', 'BNB', pair)).toBe('1241')
  expect(worthUsdt('2', 'USDT', pair)).toBeUndefined()
  expect(worthUsdt('', 'BNB', pair)).toBeUndefined()
  expect(worthUsdt('2', 'BNB', { ...pair, price: '0' })).toBeUndefined()
})

test('calculates the price of a swap from its amounts in both directions', () => {
  const bnb = { units: 500n * E18, asset: 'BNB' } as const
  const usdt = { units: 281_191n * E18, asset: 'USDT' } as const
  // By Python's decimal.
  expect(priceIn(usdt, bnb)).toBe('562.382')
  expect(priceIn(bnb, usdt)).toBe('0.001778150794299959')
  expect(priceIn(usdt, { units: 0n, asset: 'BNB' })).toBe('0')
  const sale = { sold: 'BNB', bought: 'USDT', inverse: false } as const
  const purchase = { sold: 'USDT', bought: 'BNB', inverse: true } as const
  expect(executionPrice(sale, { amountIn: bnb.units, amountOut: usdt.units })).toBe('每 BNB 兌 562.38 USDT')
  expect(executionPrice(purchase, { amountIn: usdt.units, amountOut: bnb.units })).toBe('每 BNB 兌 562.38 USDT')
})

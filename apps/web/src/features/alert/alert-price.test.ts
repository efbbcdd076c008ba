import { expect, test } from 'vitest'
import { directionTo, entryBeyond, entryTurned, priceBeyond, priceFault } from './alert-price.ts'

test.each([
  ['620', 'above', 5, 2, '651'],
  ['620', 'below', 5, 2, '589'],
  ['619.987654321987654321', 'above', 1, 2, '626.18'],
  ['619.987654321987654321', 'below', 10, 2, '557.98'],
  ['0.100123', 'above', 5, 5, '0.10512'],
  // More digits than a float has.
  ['123456789012345678.123456789012345678', 'above', 10, 18, '135802467913580245.935802467913580245'],
  // No price is known yet.
  ['', 'above', 5, 2, '0'],
] as const)('an alert from %s, %s by %i %% is %s', (now, direction, percent, decimals, expected) => {
  expect(priceBeyond(now, direction, percent, decimals)).toBe(expected)
})

test.each([
  ['', 'above', '620', 'empty'],
  ['0', 'below', '620', 'empty'],
  ['0.00', 'below', '620', 'empty'],
  ['12.', 'below', '620', 'empty'],
  ['620', 'above', '620', 'reached'],
  ['620.000000000000000001', 'above', '620', undefined],
  ['619.999999999999999999', 'above', '620', 'reached'],
  ['620', 'below', '620', 'reached'],
  ['619.999999999999999999', 'below', '620', undefined],
  ['700', 'below', '620', 'reached'],
  // The server knows.
  ['1', 'above', '', undefined],
  ['620000', 'above', '620', undefined],
  ['620000.1', 'above', '620', 'far'],
  ['0.62', 'below', '620', undefined],
  ['0.6199', 'below', '620', 'far'],
] as const)('an alert at %j, %s %s, has the fault %s', (price, direction, now, fault) => {
  expect(priceFault(price, direction, now)).toBe(fault)
})

test('another direction flips a percentage and keeps a typed price', () => {
  const chosen = entryBeyond('620', 'above', 10, 2)
  expect(chosen.text).toBe('682')
  expect(entryTurned(chosen, '620', 'below', 2).text).toBe('558')
  expect(entryTurned(entryTurned(chosen, '620', 'below', 2), '620', 'above', 2)).toEqual(chosen)
  expect(entryTurned({ text: '612.34' }, '620', 'below', 2)).toEqual({ text: '612.34' })
  expect(entryTurned({ text: '' }, '620', 'below', 2)).toEqual({ text: '' })
})

test.each([
  ['621', '620', 'above'],
  ['620', '620', 'above'],
  ['619.99', '620', 'below'],
  // No price is known yet.
  ['619.99', '', 'above'],
])('the price %s is reached from %s by moving %s', (at, now, direction) => {
  expect(directionTo(at, now)).toBe(direction)
})

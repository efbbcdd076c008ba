import { describe, expect, test } from 'vitest'
import { amountProblem, cleanAmountInput, percentOf, pressKey, readTypedAmount, typedUnits } from './amount-input.ts'

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

/** A field as a browser edits it: each key goes in at the caret, ⌫ removes the character before it. */
function typeKeys(from: { shown: string; value: string; at: number }, keys: string) {
  let field = from
  const seen = [...keys].map((key) => {
    const cut = key === '⌫' ? Math.max(0, field.at - 1) : field.at
    const added = key === '⌫' ? '' : key
    const typed = field.shown.slice(0, cut) + added + field.shown.slice(field.at)
    const next = pressKey(typed, cut + added.length, { decimals: 18, before: field.shown })
    field = { ...next, value: next.value ?? field.value }
    return field.shown
  })
  return { seen, field }
}

describe('a comma never makes another magnitude of what is read', () => {
  test.each([
    ['1,5', '1.5'],
    ['1,50', '1.50'],
    ['1,', '1.'],
    [',5', '0.5'],
    ['1，5', '1.5'],
    ['0,500', '0.500'],
    ['1500,500', '1500.500'],
    ['1 500,5', '1500.5'],
    // Pasted, it is both; everything here is grouped by commas.
    ['1,500', '1500'],
    ['12,345,678', '12345678'],
    ['1,971.80515', '1971.80515'],
    ['1,971.', '1971.'],
    // A text with a point already has its decimal mark.
    ['1,97.80515', '197.80515'],
    ['1.5,', undefined],
    ['1.234,5', undefined],
    ['1,2,3', undefined],
    ['1,,5', undefined],
    [',', '0.'],
  ])('%j is %j', (typed, cleaned) => {
    expect(cleanAmountInput(typed, 18)).toBe(cleaned)
  })

  test.each([
    ['1,000', ['1', '1,', '1,0', '1,00', '1,000'], '1000'],
    ['1,0000', ['1', '1,', '1,0', '1,00', '1,000', '10,000'], '10000'],
    ['12,345.5', ['1', '12', '12,', '12,3', '12,34', '12,345', '12,345.', '12,345.5'], '12345.5'],
    ['1,234,567', ['1', '1,', '1,2', '1,23', '1,234', '1,234,', '1,234,5', '1,234,56', '1,234,567'], '1234567'],
    ['1,5', ['1', '1,', '1,5'], '1.5'],
    ['1,000.', ['1', '1,', '1,0', '1,00', '1,000', '1,000.'], '1000'],
    ['7,', ['7', '7,'], '7'],
    ['0,500', ['0', '0,', '0,5', '0,50', '0.500'], '0.500'],
    ['1234.5', ['1', '12', '123', '1,234', '1,234.', '1,234.5'], '1234.5'],
    ['1500,5', ['1', '15', '150', '1,500', '1,500,', '1,500,5'], '1500.5'],
    // Any other key is ignored.
    ['1,,0x00', ['1', '1,', '1,', '1,0', '1,0', '1,00', '1,000'], '1000'],
  ])('typing %j key by key shows %j', (keys, shown, value) => {
    const { seen, field } = typeKeys({ shown: '', value: '', at: 0 }, keys)
    expect({ seen, value: field.value }).toEqual({ seen: shown, value })
  })

  test.each([
    // At the end of 1,000.
    [5, '1,234.5', '10,001,234.5', '10001234.5', 12],
    [1, '2', '12,000', '12000', 2],
    [0, '2', '21,000', '21000', 1],
    [2, '⌫', '1,000', '1000', 1],
    [2, '⌫⌫', '0', '0', 0],
    [5, '⌫⌫', '10', '10', 2],
    [3, 'x5', '10,500', '10500', 4],
    [5, ',5⌫⌫', '1,000', '1000', 5],
  ])('from place %i of 1,000 the keys %j give %j', (at, keys, shown, value, caret) => {
    const { field } = typeKeys({ shown: '1,000', value: '1000', at }, keys)
    expect(field).toEqual({ shown, value, at: caret })
  })

  test('pasted text with an open group is no amount', () => {
    expect(readTypedAmount('1,234,5', 18)).toBeUndefined()
  })

  test('a key that would exceed the decimals is rejected', () => {
    expect(cleanAmountInput('1,2345', 3)).toBeUndefined()
    expect(cleanAmountInput('1,5', 0)).toBeUndefined()
  })
})

describe('an amount with group separators can be edited', () => {
  test.each([
    ['1,971.80515', '1,971.8051', '1971.8051'],
    ['1,971.80515', ',971.80515', '971.80515'],
    ['1,971.80515', '1971.80515', '1971.80515'],
    ['1,971.80515', '1,97180515', '197180515'],
    ['1,971.80515', '1,9714.80515', '19714.80515'],
    ['1,971', '1,97', '197'],
    ['1,971', '1,9715', '19715'],
    ['1,971,805', '1,971,80', '197180'],
    // Text that replaces the whole field is read alone.
    ['1,971', '1,9,71', undefined],
    ['1,971.80515', '1,5', '1.5'],
    ['1,971', '', ''],
  ])('%j becomes %j: %j', (before, typed, cleaned) => {
    expect(cleanAmountInput(typed, 18, before)).toBe(cleaned)
  })
})

test('a percentage of a balance is cut down to the last unit', () => {
  expect(percentOf('0.000000000000000003', 50, 18)).toBe('0.000000000000000001')
  expect(percentOf('100', 25, 18)).toBe('25')
  expect(percentOf('123.456', 100, 18)).toBe('123.456')
})

test.each([
  ['', 'missing'],
  ['0', 'missing'],
  ['0.00', 'missing'],
  ['1.', 'invalid'],
  ['1.001', 'invalid'],
  ['0.99', 'under_min'],
  ['1', undefined],
  ['5', undefined],
  ['5.01', 'over_balance'],
  ['10', 'over_balance'],
  ['10.01', 'over_balance'],
] as const)('the amount %j from 1 to 10, balance 5, is %s', (text, problem) => {
  expect(amountProblem(text, { decimals: 2, min: 100n, max: 1_000n, balance: 500n })).toBe(problem)
})

test('names the maximum of an amount that the balance covers', () => {
  expect(amountProblem('10.01', { decimals: 2, max: 1_000n, balance: 2_000n })).toBe('over_max')
})

test('an amount is not compared with an unknown balance or maximum', () => {
  expect(amountProblem('999', { decimals: 2, balance: undefined })).toBeUndefined()
})

test.each([
  ['12.', 1200n],
  ['12.5', 1250n],
  ['', undefined],
  ['.', undefined],
])('typed text %j has %s units', (text, units) => {
  expect(typedUnits(text, 2)).toBe(units)
})

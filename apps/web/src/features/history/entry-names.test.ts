import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { ENTRY_KINDS } from '../../generated/entry-kinds.ts'
import { loadAllWords } from '../../testing/words.ts'
import { describeEntry, kindName } from './entry-names.ts'

beforeAll(loadAllWords)
afterEach(() => showLocale('zh-HK'))

test.each(['zh-HK', 'en'] as const)('every kind has its own name in %s', (locale) => {
  showLocale(locale)
  const names = ENTRY_KINDS.map(kindName)
  expect(new Set(names).size).toBe(ENTRY_KINDS.length)
  for (const name of names) expect(name).not.toContain('_')
})

test('shows an unknown kind without its internal name', () => {
  showLocale('en')
  expect(kindName('loan_opening')).toBe('Other')
  expect(describeEntry({ kind: 'loan_opening', amount: '-1', place: 'available' })).toBe('Other')
})

test('names the sold and the bought side of a swap', () => {
  showLocale('en')
  expect(describeEntry({ kind: 'swap', amount: '-1.5', place: 'available' })).toBe('Sold in a swap')
  expect(describeEntry({ kind: 'swap', amount: '900', place: 'available' })).toBe('Bought in a swap')
})

test.each([
  ['200', 'available', 'Loan'],
  ['-0.5', 'available', 'Collateral for a loan'],
  ['0.5', 'collateral', 'Collateral for a loan'],
] as const)('a loan names what is borrowed and its collateral: %s %s', (amount, place, name) => {
  showLocale('en')
  expect(describeEntry({ kind: 'loan', amount, place })).toBe(name)
})

test('treats object property names as unknown kinds', () => {
  expect(kindName('toString')).toBe('其他')
  expect(kindName('__proto__')).toBe('其他')
})

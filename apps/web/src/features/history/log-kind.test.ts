import { afterEach, expect, test } from 'vitest'
import { showLocale } from '../../i18n/locale.ts'
import { kindName, LOG_KINDS, whatHappened } from './log-kind.ts'

afterEach(() => showLocale('zh-HK'))

test.each(['zh-HK', 'en'] as const)('every kind has a name of its own in %s', (locale) => {
  showLocale(locale)
  const names = LOG_KINDS.map(kindName)
  expect(new Set(names).size).toBe(LOG_KINDS.length)
  for (const name of names) expect(name).not.toContain('_')
})

test('a kind that this build does not know is readable', () => {
  showLocale('en')
  expect(kindName('loan_opening')).toBe('Other (loan opening)')
  expect(whatHappened({ kind: 'loan_opening', amount: '-1' })).toBe('Other (loan opening)')
})

test('a swap says which side of it a balance saw', () => {
  showLocale('en')
  expect(whatHappened({ kind: 'swap', amount: '-1.5' })).toBe('Sold in a swap')
  expect(whatHappened({ kind: 'swap', amount: '900' })).toBe('Bought in a swap')
})

test('what only looks like a kind is no kind', () => {
  expect(kindName('toString')).toContain('toString')
  expect(kindName('__proto__')).toContain('proto')
})

import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { loadAllWords } from '../../testing/words.ts'
import { commonKinds, findEntries } from './find-entries.ts'

beforeAll(loadAllWords)
afterEach(() => showLocale('zh-HK'))

const HASH = `0x${'ab12'.repeat(16)}`

test.each([
  [' ', {}],
  ['0xAB12', { search: '0xAB12' }],
  [HASH, { search: HASH }],
  ['1,234.56', { search: '1234.56' }],
  ['1,234.5', { search: '1234.5' }],
  ['+12.34', { search: '12.34' }],
  // While typing.
  ['12.', { search: '12' }],
  ['1,', { search: '1' }],
  ['.5', { search: '0.5' }],
  ['−0.5', { search: '0.5' }],
  ['+ 200 usdt', { search: '200', asset: 'USDT' }],
  ['007', { search: '7' }],
  ['bnb', { asset: 'BNB' }],
  ['0x1', undefined],
  ['1,23', undefined],
  ['5 DOGE', undefined],
  ['zzz', undefined],
  ['.', undefined],
])('reads %j as a search for %j', (typed, found) => {
  expect(findEntries(typed)).toEqual(found)
})

test.each(['zh-HK', 'en'] as const)('finds kinds by words of both languages in %s', (locale) => {
  showLocale(locale)
  expect(findEntries('質押')?.kinds).toEqual(expect.arrayContaining(['pledge', 'unpledge']))
  expect(findEntries('REPAY')?.kinds).toEqual(['loan_repayment'])
  expect(findEntries('閃兌')?.kinds).toContain('swap')
})

test('keeps the kinds that two filters share', () => {
  expect(commonKinds(undefined, undefined)).toBeUndefined()
  expect(commonKinds(['swap'], undefined)).toEqual(['swap'])
  expect(commonKinds(['swap', 'loan'], ['loan', 'pledge'])).toEqual(['loan'])
  expect(commonKinds(['swap'], ['loan'])).toEqual([])
})

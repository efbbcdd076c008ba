import { afterEach, expect, test } from 'vitest'
import { errorText } from './error-text.ts'
import { showLocale } from './locale.ts'

afterEach(() => showLocale('zh-HK'))

test('a refusal shows the server’s text', () => {
  expect(errorText(named('ApiError', '餘額不足'))).toBe('餘額不足')
})

test.each([
  ['zh-HK', '失敗', '發生錯誤'],
  ['en', 'Failed', 'Something went wrong'],
] as const)('a refusal without text and a bug have texts in %s', (locale, failed, wrong) => {
  showLocale(locale)
  expect(errorText(named('ApiError', ''))).toBe(failed)
  expect(errorText(new TypeError('undefined is not a function'))).toBe(wrong)
  expect(errorText('thrown text')).toBe(wrong)
  expect(errorText(undefined)).toBe(wrong)
})

test('a missing response shows the next step', () => {
  showLocale('en')
  expect(errorText(named('NoResponseError', 'no answer from /x'))).toMatch(/Check your connection and try again/)
})

/** The two errors of the API, which the base components know by their names alone. */
function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name })
}

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

test.each([
  [502, 'The server has a problem right now. Try again in a moment.'],
  [undefined, 'We couldn’t reach the server. Check your connection and try again.'],
])('a fault of the server with status %s blames no connection', (status, text) => {
  showLocale('en')
  expect(errorText(Object.assign(named('NoResponseError', 'no envelope'), { status }))).toBe(text)
})

/** The two errors of the API, which the base components know by their names alone. */
function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name })
}

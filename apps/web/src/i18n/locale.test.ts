import { afterEach, expect, test, vi } from 'vitest'
import { saveLocaleChoice, showLocale } from './locale.ts'
import { preferredLocale } from './preferred-locale.ts'

afterEach(() => vi.unstubAllGlobals())

test('a choice is kept in a cookie for 365 days, for every path, sent with same-site requests alone', () => {
  const page = { cookie: '' }
  vi.stubGlobal('document', page)
  saveLocaleChoice('en')
  expect(page.cookie.split('; ')).toEqual([
    'clearwell_locale=en',
    `max-age=${365 * 24 * 60 * 60}`,
    'path=/',
    'samesite=lax',
  ])
  expect(preferredLocale(page.cookie, ['zh-HK'])).toBe('en')
})

test('the page says which language it is in', () => {
  const documentElement = { lang: '' }
  vi.stubGlobal('document', { documentElement })
  showLocale('en')
  expect(documentElement.lang).toBe('en')
  showLocale('zh-HK')
  expect(documentElement.lang).toBe('zh-HK')
})

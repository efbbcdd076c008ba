import { afterEach, expect, test, vi } from 'vitest'
import { preferredLocale, saveLocaleChoice } from './preferred-locale.ts'

afterEach(() => vi.unstubAllGlobals())

test('a saved locale overrides the browser’s', () => {
  expect(preferredLocale('a=1; clearwell_locale=en', ['zh-HK'])).toBe('en')
  expect(preferredLocale('clearwell_locale=zh-HK; b=2', ['en-US'])).toBe('zh-HK')
})

test.each(['clearwell_locale=fr', 'clearwell_locale=', 'not_clearwell_locale=zh-HK', 'clearwell_locale=english'])(
  'an invalid saved locale is ignored: %s',
  (cookies) => {
    expect(preferredLocale(cookies, ['en-GB'])).toBe('en')
  },
)

test.each([
  [[], 'zh-HK'],
  [['zh-HK'], 'zh-HK'],
  [['zh-TW'], 'zh-HK'],
  [['zh-MO'], 'zh-HK'],
  [['zh-CN'], 'zh-HK'],
  [['zh-SG'], 'zh-HK'],
  [['zh'], 'zh-HK'],
  [['zh-Hant'], 'zh-HK'],
  [['zh-Hant-TW'], 'zh-HK'],
  [['zh-Hant-HK'], 'zh-HK'],
  [['zh-Hans-CN'], 'zh-HK'],
  [['ZH-hk'], 'zh-HK'],
  [['yue'], 'zh-HK'],
  [['yue-Hant-HK'], 'zh-HK'],
  [['en'], 'en'],
  [['en-US'], 'en'],
  [['en-HK'], 'en'],
  [['EN-gb'], 'en'],
  [['en', 'zh-HK'], 'en'],
  [['zh-HK', 'en'], 'zh-HK'],
  [['fr-FR', 'zh-TW', 'en'], 'zh-HK'],
  [['de', 'en-AU', 'zh'], 'en'],
  [['ja', 'ko', 'fr'], 'zh-HK'],
  [['enm', 'fr'], 'zh-HK'],
  [['zha', 'en'], 'en'],
  [['*'], 'zh-HK'],
  [[''], 'zh-HK'],
] as const)('a browser that speaks %j is shown %s', (languages, locale) => {
  expect(preferredLocale('', languages)).toBe(locale)
})

test('a locale choice is stored in a same-site cookie for 365 days', () => {
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

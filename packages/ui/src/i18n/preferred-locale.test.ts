import { afterEach, expect, test, vi } from 'vitest'
import { m } from '../generated/messages.ts'
import { LOCALES, showLocale } from './locale.ts'
import { preferredLocale, saveLocaleChoice } from './preferred-locale.ts'

afterEach(() => vi.unstubAllGlobals())

test('a saved locale overrides the browser’s', { tags: ['§4.26'] }, () => {
  expect(preferredLocale('a=1; clearwell_locale=en', ['zh-HK'])).toBe('en')
  expect(preferredLocale('clearwell_locale=zh-HK; b=2', ['en-US'])).toBe('zh-HK')
})

test.each(['clearwell_locale=fr', 'clearwell_locale=', 'not_clearwell_locale=zh-HK', 'clearwell_locale=english'])(
  'an invalid saved locale is ignored: %s',
  (cookies) => {
    expect(preferredLocale(cookies, ['en-GB'])).toBe('en')
  },
)

test('a browser without a known language is shown zh-HK', { tags: ['§4.28', '§9.01'] }, () => {
  expect(preferredLocale('', [])).toBe('zh-HK')
  expect(preferredLocale('', ['fr-FR', 'de'])).toBe('zh-HK')
  expect(LOCALES[0]).toBe('zh-HK')
})

test('the first known language of the browser decides', { tags: ['§4.27'] }, () => {
  expect(preferredLocale('', ['de', 'en-AU', 'zh'])).toBe('en')
  expect(preferredLocale('', ['de', 'zh-TW', 'en'])).toBe('zh-HK')
})

test('the languages are zh-HK and en, each with its texts', { tags: ['§9.02'] }, () => {
  expect(LOCALES).toEqual(['zh-HK', 'en'])
  for (const locale of LOCALES) {
    expect(preferredLocale(`clearwell_locale=${locale}`, [])).toBe(locale)
    expect(preferredLocale('', [locale])).toBe(locale)
  }
  const texts = LOCALES.map((locale) => {
    showLocale(locale)
    return m.app_close()
  })
  showLocale('zh-HK')
  expect(texts).toEqual(['關閉', 'Close'])
})

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

test('a locale choice is stored in a same-site cookie for 365 days', { tags: ['§3.25', '§4.29', '§9.03'] }, () => {
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

import { expect, test } from 'vitest'
import { preferredLocale } from './locale.ts'

test('a saved choice comes before the browser', () => {
  expect(preferredLocale('a=1; clearwell_locale=en', ['zh-HK'])).toBe('en')
  expect(preferredLocale('clearwell_locale=zh-HK', ['en-US'])).toBe('zh-HK')
})

test('an unknown saved choice counts as none', () => {
  expect(preferredLocale('clearwell_locale=fr', ['en-GB'])).toBe('en')
})

test('the first browser language that is spoken here wins', () => {
  expect(preferredLocale('', ['fr-FR', 'zh-TW', 'en'])).toBe('zh-HK')
  expect(preferredLocale('', ['de', 'en-AU', 'zh'])).toBe('en')
})

test('without any of them it is zh-HK', () => {
  expect(preferredLocale('', [])).toBe('zh-HK')
  expect(preferredLocale('', ['fr'])).toBe('zh-HK')
})

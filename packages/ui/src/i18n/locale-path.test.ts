import { expect, test } from 'vitest'
import { localeOfPath, pathInLocale } from './locale-path.ts'

test.each([
  ['/', '/en'],
  ['/language', '/en/language'],
  ['/swap/exchange', '/en/swap/exchange'],
])('%s is %s in English, and back', (bare, english) => {
  expect(pathInLocale(bare, 'en')).toBe(english)
  expect(pathInLocale(english, 'en')).toBe(english)
  expect(pathInLocale(english, 'zh-HK')).toBe(bare)
  expect(localeOfPath(english)).toBe('en')
  expect(localeOfPath(bare)).toBe('zh-HK')
})

test('a path that only begins with the letters en is not English', () => {
  expect(localeOfPath('/enough')).toBe('zh-HK')
  expect(pathInLocale('/enough', 'zh-HK')).toBe('/enough')
})

import { afterEach, expect, test, vi } from 'vitest'
import { showLocale } from './locale.ts'

afterEach(() => vi.unstubAllGlobals())

test('the page declares its language', () => {
  const documentElement = { lang: '' }
  vi.stubGlobal('document', { documentElement })
  showLocale('en')
  expect(documentElement.lang).toBe('en')
  showLocale('zh-HK')
  expect(documentElement.lang).toBe('zh-HK')
})

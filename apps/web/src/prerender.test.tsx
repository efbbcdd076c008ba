import { expect, test } from 'vitest'
import { renderFatalPage } from './prerender.tsx'

test.each([
  ['en', 'Internal Server Error', 'The app couldn’t load'],
  ['zh-HK', '伺服器內部錯誤', '未能載入應用程式'],
] as const)(
  'the error page without the app shows status, message and description (%s)',
  {
    tags: ['§2.41', '§2.43', '§2.44', '§8.16'],
  },
  (locale, message, description) => {
    const texts = [...renderFatalPage(locale).matchAll(/<(?:p|h1)[^>]*>(.*?)<\/(?:p|h1)>/g)].map(([, text]) => text)
    expect(texts.slice(0, 3)).toEqual(['500', message, description])
  },
)

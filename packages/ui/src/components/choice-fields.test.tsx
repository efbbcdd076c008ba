import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { showLocale } from '../i18n/locale.ts'
import { DayField } from './choice-fields.tsx'

afterEach(() => showLocale('zh-HK'))

test.each([
  ['en', '2026-12-01', '1 Dec 2026'],
  ['zh-HK', '2026-12-01', '2026年12月1日'],
  ['en', '', ''],
] as const)('a day field in %s writes %j out as %j', (locale, value, shown) => {
  showLocale(locale)
  const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)
  const html = renderToStaticMarkup(<DayField label="Day" value={value} isDay={isDay} onChange={() => {}} />)
  expect(/<span aria-hidden="true"[^>]*>([^<]*)</.exec(html)?.[1] ?? '').toBe(shown)
})

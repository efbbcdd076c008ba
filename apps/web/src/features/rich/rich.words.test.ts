import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { expect, test } from 'vitest'
import words from './rich.words.ts'

test.each([
  ['en', 'Your approval was asked for on 24 Nov 2026 09:00.'],
  ['zh-HK', '於 24 Nov 2026 09:00 向你申請批核。'],
] as const)('a request’s notice stays true in %s once decided', (locale, detail) => {
  showLocale(locale)
  const params = { request_id: '1', name: 'Mei', star: 2 }
  expect(words.notices.upgrade_requested(params, '24 Nov 2026 09:00').detail).toBe(detail)
})

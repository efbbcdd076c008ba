import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { expect, test } from 'vitest'
import { isOfAnotherDay } from './box-sheet.tsx'

test('a click can have another day on the device than its box', () => {
  showLocale('en')
  // Noon of the 28th by the device, in all zones from 12 hours behind to 11 ahead of UTC.
  const created_at = '2026-11-28T12:00:00.000Z'
  expect(isOfAnotherDay({ day: '2026-11-28', created_at })).toBe(false)
  expect(isOfAnotherDay({ day: '2026-11-29', created_at })).toBe(true)
})

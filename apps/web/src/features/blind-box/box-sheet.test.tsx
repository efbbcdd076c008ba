import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { expect, test } from 'vitest'
import { BOX } from './blind-box.samples.ts'
import { factsOf } from './box-sheet.tsx'

test('a click at night has the day of its box', () => {
  showLocale('en')
  const facts = factsOf({ ...BOX, day: '2026-11-29', created_at: '2026-11-28T16:30:00.000Z' })
  expect(facts.find(({ label }) => label === 'Clicked')?.value).toBe('29 Nov 2026 00:30')
})

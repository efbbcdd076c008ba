import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { expect, test } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { explain } from './box-problem.tsx'

test('explains a claim without rewards in both languages', () => {
  const refused = (reason: string) => new ApiError(20010, 'as the server says', { reason })
  for (const [locale, text] of [
    ['en', 'These rewards were already claimed, or have expired.'],
    ['zh-HK', '這些獎勵已領取或已過期。'],
  ] as const) {
    showLocale(locale)
    expect([explain(refused('nothing_to_claim')), explain(refused('of_tomorrow'))]).toEqual([
      text,
      'as the server says',
    ])
  }
})

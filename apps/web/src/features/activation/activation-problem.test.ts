import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { expect, test } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { refusalText } from './activation-problem.tsx'

test('explains a second activation in both languages', () => {
  const refused = (reason: string) => new ApiError(20010, 'as the server says', { reason })
  for (const [locale, text] of [
    ['en', 'This account is already activated.'],
    ['zh-HK', '此帳戶已啟用。'],
  ] as const) {
    showLocale(locale)
    expect([refusalText(refused('already_activated')), refusalText(refused('of_tomorrow'))]).toEqual([
      text,
      'as the server says',
    ])
  }
})

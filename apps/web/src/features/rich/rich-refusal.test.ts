import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { expect, test } from 'vitest'
import { ApiError, NoResponseError } from '../../api/api-error.ts'
import { refusedText } from './rich-refusal.ts'

test.each([
  [new ApiError(20010, 'As the server says', { reason: 'request_open' }), 'As the server says'],
  [new ApiError(20014, 'Deposit more RT first', { missing: '55' }), 'Deposit 55 RT more first.'],
  [
    new ApiError(20008, 'Not open now', { reason: 'one_star_a_day', opens_at: '2030-01-01T16:00:00.000Z' }),
    /^You can gain one star a day, and today’s has passed\. Try again after /,
  ],
  [new ApiError(20006, 'Out of range', { max: '150' }), 'The highest star needs only 150 RT more'],
  [new ApiError(20002, 'RT balance is insufficient', {}), 'RT balance is insufficient'],
  [new NoResponseError('timed out'), /response|reach|connection/i],
])('%s says what happened', (error, text) => {
  showLocale('en')
  expect(refusedText(error)).toMatch(text)
})

import { CODES } from '@clearwell/api/codes'
import { expect, test } from 'vitest'
import { ApiError, isFinalRefusal, NoResponseError } from './api-error.ts'

const refused = (name: keyof typeof CODES) => new ApiError(CODES[name].code, CODES[name].msg.en, null)

test('a refusal is final, unlike a lost response or expired session', () => {
  expect(isFinalRefusal(refused('price_moved'))).toBe(true)
  for (const error of [
    new NoResponseError('lost'),
    refused('not_ready'),
    refused('too_many_requests'),
    refused('sign_in_again'),
    null,
  ])
    expect(isFinalRefusal(error)).toBe(false)
})

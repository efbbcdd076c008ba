import { expect, test } from 'vitest'
import { refusal } from './refuse.ts'

test('a refusal takes only the data that its code declares', () => {
  expect(refusal('conflict', { reason: 'key_reused' })).toMatchObject({
    message: 'conflict',
    data: { reason: 'key_reused' },
  })
  expect(refusal('not_found').data).toEqual({})
  // @ts-expect-error an undeclared reason
  refusal('conflict', { reason: 'of_tomorrow' })
  // @ts-expect-error an undeclared field
  refusal('conflict', { limit: 5 })
  // @ts-expect-error a required field is missing
  refusal('not_open')
  // @ts-expect-error a code without data
  refusal('not_found', { id: '1' })
})

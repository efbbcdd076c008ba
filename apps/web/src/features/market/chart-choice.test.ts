import { expect, test } from 'vitest'
import { readChoice } from './chart-choice.ts'

test('reads a stored choice', () => {
  expect(readChoice('{"kind":"spot","interval":"4h"}')).toEqual({ kind: 'spot', interval: '4h' })
})

test.each([null, '', 'null', '7', '[]', '{', '{"kind":"moon","interval":"2h"}'])(
  '%j is what one begins with',
  (text) => {
    expect(readChoice(text)).toEqual({ kind: 'pool', interval: '15m' })
  },
)

test('keeps the valid part of a choice', () => {
  expect(readChoice('{"interval":"1d"}')).toEqual({ kind: 'pool', interval: '1d' })
})

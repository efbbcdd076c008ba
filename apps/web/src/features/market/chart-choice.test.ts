import { expect, test } from 'vitest'
import { readChoice } from './chart-choice.ts'

test('a choice is read as it was kept', () => {
  expect(readChoice('{"kind":"spot","interval":"4h"}')).toEqual({ kind: 'spot', interval: '4h' })
})

test.each([null, '', 'null', '7', '[]', '{', '{"kind":"moon","interval":"2h"}'])(
  '%j is what one begins with',
  (text) => {
    expect(readChoice(text)).toEqual({ kind: 'pool', interval: '15m' })
  },
)

test('what is left of a choice counts', () => {
  expect(readChoice('{"interval":"1d"}')).toEqual({ kind: 'pool', interval: '1d' })
})

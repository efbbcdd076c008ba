import { expect, test } from 'vitest'
import { choiceOf } from './chart-choice.ts'

const FIRST = { kind: 'spot', view: 'line', range: 'day', interval: '15m' }

test('reads a stored choice', () => {
  const choice = { kind: 'pool', view: 'candles', range: 'year', interval: '4h' }
  expect(choiceOf(choice)).toEqual(choice)
})

test.each([null, undefined, 7, [], { kind: 'moon', interval: '2h', view: 'pie', range: 'age' }])(
  '%j opens the spot line of a day',
  (value) => {
    expect(choiceOf(value)).toEqual(FIRST)
  },
)

test('keeps the valid part of a choice', () => {
  expect(choiceOf({ interval: '1d' })).toEqual({ ...FIRST, interval: '1d' })
})

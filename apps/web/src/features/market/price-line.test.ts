import { expect, test } from 'vitest'
import { pointsOf, rangesOf } from './price-line.queries.ts'

const NOW_MS = Date.parse('2030-03-01T12:00:00Z')

const candle = (time: string, open: string, close: string) => ({ time, open, high: '9', low: '1', close, volume: '1' })

test.each([
  ['nothing known', undefined, ['day']],
  ['a pool without trades', [], ['day']],
  ['a pool opened today', ['2030-03-01T00:00:00Z'], ['day']],
  ['three days', ['2030-02-27T00:00:00Z'], ['day', 'week']],
  ['two weeks', ['2030-02-15T00:00:00Z'], ['day', 'week', 'month']],
  ['a year', ['2029-03-01T00:00:00Z'], ['day', 'week', 'month', 'year']],
] as const)('a history of %s fills its ranges', (_, starts, ranges) => {
  const days = starts?.map((time) => candle(time, '2', '3'))
  expect(rangesOf(days, NOW_MS)).toEqual(ranges)
})

test('a line runs from the first opening price to the current price', () => {
  const candles = [candle('2030-03-01T11:50:00Z', '2', '3'), candle('2030-03-01T11:55:00Z', '3', '4')]
  expect(pointsOf(candles, { value: '5', time: '2030-03-01T11:58:00Z' })).toEqual([
    { time: '2030-03-01T11:50:00Z', value: '2' },
    { time: '2030-03-01T11:55:00Z', value: '3' },
    { time: '2030-03-01T11:58:00Z', value: '5' },
  ])
  expect(pointsOf(candles, undefined).at(-1)).toEqual({ time: '2030-03-01T11:55:00Z', value: '4' })
  expect(pointsOf([], undefined)).toEqual([])
})

import { expect, test } from 'vitest'
import type { Candle } from './candles.ts'
import { latestLine } from './draw-candles.ts'
import type { ChartTheme } from './drawing.ts'

const THEME = { text: 'grey', up: 'green', down: 'red' } as ChartTheme
const candle = (open: string, close: string): Candle => ({
  time: '2030-01-01T00:00:00.000Z',
  open,
  high: '700',
  low: '1',
  close,
  volume: '1',
})

test.each([
  ['rose', candle('600', '632.65606'), { price: '632.65', color: 'green' }],
  ['fell', candle('640', '632.65606'), { price: '632.65', color: 'red' }],
  ['did not move', candle('632.65606', '632.65606'), { price: '632.65', color: 'grey' }],
  ['fell by less than is drawn', candle('632.65609', '632.65606'), { price: '632.65', color: 'green' }],
] as const)('the line has price and colour of a last candle that %s', (_, last, line) => {
  expect(latestLine([candle('1', '2'), last], 2, THEME)).toEqual(line)
})

test('draws no price line without candles', () => {
  expect(latestLine([], 2, THEME)).toBeUndefined()
})

import { expect, test } from 'vitest'
import { hourlyPrices, poolGap } from './day-price.ts'

const candle = (time: string, open: string, close: string) => ({ time, open, close })

test('the line runs from the first open of the day to now', () => {
  const candles = [
    candle('2030-01-01T09:00:00Z', '1', '2'),
    candle('2030-01-01T11:00:00Z', '3', '4'),
    candle('2030-01-01T12:00:00Z', '4', '5'),
    candle('2030-01-02T10:00:00Z', '6', '7'),
  ]
  // The first candle is from more than a day before.
  expect(hourlyPrices(candles, '8', Date.parse('2030-01-01T10:30:00Z'))).toEqual(['3', '4', '5', '8'])
  expect(hourlyPrices([], '8', 0)).toEqual(['8'])
  expect(hourlyPrices(candles, null, Date.parse('2030-01-01T10:30:00Z'))).toEqual(['3', '4', '5'])
  expect(hourlyPrices([], null, 0)).toEqual([])
})

test.each([
  ['101', '100', '0.01'],
  ['99.99', '100', '-0.0001'],
  // Cut toward zero: no gap is overstated.
  ['100.009999', '100', '0'],
  ['99.990001', '100', '0'],
  ['100', '0', undefined],
  ['', '100', undefined],
])('a pool at %s with spot at %s has the gap %s', (pool, spot, gap) => {
  expect(poolGap(pool, spot)).toBe(gap)
})

import { describe, expect, test } from 'vitest'
import {
  type Candle,
  changeBetween,
  changedFrom,
  movedToShow,
  secondsOf,
  summarizeCandles,
  withLivePrice,
  zoomed,
} from './candles.ts'

const MINUTE = 60
const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 0, minute)).toISOString()
const seconds = (minute: number, second = 0) => Date.UTC(2026, 2, 1, 0, minute, second) / 1000
const candle = (minute: number, open: string, high: string, low: string, close: string, volume = '1'): Candle => ({
  time: at(minute),
  open,
  high,
  low,
  close,
  volume,
})
const TWO = [candle(0, '10', '12', '9', '11'), candle(1, '11', '11.5', '10.5', '11')]

describe('a live price', () => {
  test('within the last candle moves its close and, where it goes beyond, its high or low', () => {
    const up = withLivePrice(TWO, { value: '13', seconds: seconds(1, 30) }, MINUTE)
    expect(up).toEqual([TWO[0], candle(1, '11', '13', '10.5', '13')])
    const down = withLivePrice(up, { value: '10', seconds: seconds(1, 59) }, MINUTE)
    expect(down.at(-1)).toEqual(candle(1, '11', '13', '10', '10'))
  })

  test('in the interval after it begins a candle at the last close, without volume', () => {
    const begun = withLivePrice(TWO, { value: '10.8', seconds: seconds(2, 1) }, MINUTE)
    expect(begun).toEqual([...TWO, candle(2, '11', '11', '10.8', '10.8', '0')])
  })

  test.each([
    ['is older than the last candle', seconds(0, 59)],
    ['would leave a hole', seconds(3)],
  ])('that %s changes nothing', (_, when) => {
    expect(withLivePrice(TWO, { value: '99', seconds: when }, MINUTE)).toBe(TWO)
  })

  test('of which nobody says when counts to the last candle', () => {
    expect(withLivePrice(TWO, { value: '12', seconds: undefined }, MINUTE).at(-1)?.close).toBe('12')
  })

  test('that is the last close, or comes where no candle is, changes nothing', () => {
    expect(withLivePrice(TWO, { value: '11', seconds: seconds(1) }, MINUTE)).toBe(TWO)
    expect(withLivePrice([], { value: '11', seconds: seconds(1) }, MINUTE)).toEqual([])
  })

  test('is compared exactly, beyond what a floating-point number keeps', () => {
    const value = '100000000000000000.000000000000000002'
    const one = [candle(0, value, value, value, value)]
    const higher = '100000000000000000.000000000000000003'
    expect(withLivePrice(one, { value: higher, seconds: seconds(0) }, MINUTE)[0]).toMatchObject({
      high: higher,
      low: value,
    })
  })
})

describe('the course of candles', () => {
  test('goes from the first open to the last close, by way of the lowest low and the highest high', () => {
    expect(summarizeCandles(TWO)).toEqual({ first: TWO[0], last: TWO[1], low: '9', high: '12', change: '0.1' })
  })

  test('of none is none', () => {
    expect(summarizeCandles([])).toBeUndefined()
  })
})

// By hand: 620 over 600 is a thirtieth, 594 under 600 a hundredth.
test.each([
  ['600', '620', '0.033333333333333333'],
  ['600', '594', '-0.01'],
  ['0.1', '0.1', '0'],
])('from %s to %s is a change of %s', (from, to, change) => {
  expect(changeBetween(from, to)).toBe(change)
})

test('from nothing there is no change to tell', () => {
  expect(changeBetween('0', '1')).toBeUndefined()
  expect(changeBetween('', '1')).toBeUndefined()
  expect(changeBetween('1', '')).toBeUndefined()
})

describe('what is drawn anew', () => {
  const moved = { ...(TWO[1] as Candle), close: '12' }

  test('is the last candle where only that moved, what came after it, or nothing', () => {
    expect(changedFrom(TWO, [TWO[0] as Candle, moved])).toBe(1)
    expect(changedFrom(TWO, [...TWO, candle(2, '1', '1', '1', '1')])).toBe(2)
    expect(changedFrom(TWO, [TWO[0] as Candle, moved, candle(2, '1', '1', '1', '1')])).toBe(1)
    expect(changedFrom(TWO, structuredClone(TWO))).toBe(2)
  })

  test('is everything where an earlier candle is another, came or went', () => {
    expect(changedFrom(TWO, [{ ...(TWO[0] as Candle), volume: '2' }, TWO[1] as Candle])).toBe('all')
    expect(changedFrom(TWO, [candle(-1, '1', '1', '1', '1'), ...TWO])).toBe('all')
    expect(changedFrom(TWO, TWO.slice(1))).toBe('all')
    expect(changedFrom([], TWO)).toBe('all')
  })
})

describe('the range in sight', () => {
  test('zooms around a candle that keeps its place', () => {
    expect(zoomed({ from: 0, to: 100 }, 0.5, 100)).toEqual({ from: 50, to: 100 })
    expect(zoomed({ from: 0, to: 100 }, 0.5, 50)).toEqual({ from: 25, to: 75 })
    expect(zoomed({ from: 0, to: 100 }, 2, 25)).toEqual({ from: -25, to: 175 })
  })

  test('zooms around its own edge where the candle is out of sight', () => {
    expect(zoomed({ from: 0, to: 100 }, 0.5, 500)).toEqual({ from: 50, to: 100 })
  })

  test('is never so small or so large that candles cannot be told apart', () => {
    const small = zoomed({ from: 0, to: 9 }, 0.1, 9)
    expect(small.to - small.from).toBe(8)
    const large = zoomed({ from: 0, to: 390 }, 2, 390)
    expect(large.to - large.from).toBe(400)
  })

  test('moves no further than to have a candle in it', () => {
    expect(movedToShow({ from: 10, to: 20 }, 15)).toEqual({ from: 10, to: 20 })
    expect(movedToShow({ from: 10, to: 20 }, 5)).toEqual({ from: 4, to: 14 })
    expect(movedToShow({ from: 10, to: 20 }, 30)).toEqual({ from: 21, to: 31 })
  })
})

test('a candle is known by the second it starts', () => {
  expect(secondsOf(TWO[1] as Candle)).toBe(seconds(1))
})

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
  test('a live price moves close, high and low of the last candle', () => {
    const up = withLivePrice(TWO, { value: '13', seconds: seconds(1, 30) }, MINUTE)
    expect(up).toEqual([TWO[0], candle(1, '11', '13', '10.5', '13')])
    const down = withLivePrice(up, { value: '10', seconds: seconds(1, 59) }, MINUTE)
    expect(down.at(-1)).toEqual(candle(1, '11', '13', '10', '10'))
  })

  test('a live price of the next interval starts a candle without volume', () => {
    const begun = withLivePrice(TWO, { value: '10.8', seconds: seconds(2, 1) }, MINUTE)
    expect(begun).toEqual([...TWO, candle(2, '11', '11', '10.8', '10.8', '0')])
  })

  test.each([
    ['is older than the last candle', seconds(0, 59)],
    ['would leave a hole', seconds(3)],
  ])('a live price that %s changes nothing', (_, when) => {
    expect(withLivePrice(TWO, { value: '99', seconds: when }, MINUTE)).toBe(TWO)
  })

  test('a live price without a time counts to the last candle', () => {
    expect(withLivePrice(TWO, { value: '12', seconds: undefined }, MINUTE).at(-1)?.close).toBe('12')
  })

  test('a live price equal to the close, or without candles, changes nothing', () => {
    expect(withLivePrice(TWO, { value: '11', seconds: seconds(1) }, MINUTE)).toBe(TWO)
    expect(withLivePrice([], { value: '11', seconds: seconds(1) }, MINUTE)).toEqual([])
  })

  test('compares prices beyond floating-point precision', () => {
    const value = '100000000000000000.000000000000000002'
    const one = [candle(0, value, value, value, value)]
    const higher = '100000000000000000.000000000000000003'
    expect(withLivePrice(one, { value: higher, seconds: seconds(0) }, MINUTE)[0]).toMatchObject({
      high: higher,
      low: value,
    })
  })
})

describe('the summary of candles', () => {
  test('summarizes candles from first open to last close, with extremes', () => {
    expect(summarizeCandles(TWO)).toEqual({ first: TWO[0], last: TWO[1], low: '9', high: '12', change: '0.1' })
  })

  test('summarizes no candles as nothing', () => {
    expect(summarizeCandles([])).toBeUndefined()
  })
})

// By hand: 620 over 600 is a thirtieth, 594 under 600 a hundredth.
test.each([
  ['600', '620', '0.033333333333333333'],
  ['600', '594', '-0.01'],
  ['0.1', '0.1', '0'],
])('a change from %s to %s is %s', (from, to, change) => {
  expect(changeBetween(from, to)).toBe(change)
})

test('the change from zero is undefined', () => {
  expect(changeBetween('0', '1')).toBeUndefined()
  expect(changeBetween('', '1')).toBeUndefined()
  expect(changeBetween('1', '')).toBeUndefined()
})

describe('the candles to update', () => {
  const moved = { ...(TWO[1] as Candle), close: '12' }

  test('updates the last candle and later ones', () => {
    expect(changedFrom(TWO, [TWO[0] as Candle, moved])).toBe(1)
    expect(changedFrom(TWO, [...TWO, candle(2, '1', '1', '1', '1')])).toBe(2)
    expect(changedFrom(TWO, [TWO[0] as Candle, moved, candle(2, '1', '1', '1', '1')])).toBe(1)
    expect(changedFrom(TWO, structuredClone(TWO))).toBe(2)
  })

  test('updates everything when an earlier candle changed', () => {
    expect(changedFrom(TWO, [{ ...(TWO[0] as Candle), volume: '2' }, TWO[1] as Candle])).toBe('all')
    expect(changedFrom(TWO, [candle(-1, '1', '1', '1', '1'), ...TWO])).toBe('all')
    expect(changedFrom(TWO, TWO.slice(1))).toBe('all')
    expect(changedFrom([], TWO)).toBe('all')
  })
})

describe('the visible range', () => {
  test('zooms around a candle that keeps its position', () => {
    expect(zoomed({ from: 0, to: 100 }, 0.5, 100)).toEqual({ from: 50, to: 100 })
    expect(zoomed({ from: 0, to: 100 }, 0.5, 50)).toEqual({ from: 25, to: 75 })
    expect(zoomed({ from: 0, to: 100 }, 2, 25)).toEqual({ from: -25, to: 175 })
  })

  test('zooms around its edge when the candle is out of view', () => {
    expect(zoomed({ from: 0, to: 100 }, 0.5, 500)).toEqual({ from: 50, to: 100 })
  })

  test('limits the zoom at both ends', () => {
    const small = zoomed({ from: 0, to: 9 }, 0.1, 9)
    expect(small.to - small.from).toBe(8)
    const large = zoomed({ from: 0, to: 390 }, 2, 390)
    expect(large.to - large.from).toBe(400)
  })

  test('moves just far enough to show a candle', () => {
    expect(movedToShow({ from: 10, to: 20 }, 15)).toEqual({ from: 10, to: 20 })
    expect(movedToShow({ from: 10, to: 20 }, 5)).toEqual({ from: 4, to: 14 })
    expect(movedToShow({ from: 10, to: 20 }, 30)).toEqual({ from: 21, to: 31 })
  })
})

test('a candle is identified by its start in seconds', () => {
  expect(secondsOf(TWO[1] as Candle)).toBe(seconds(1))
})

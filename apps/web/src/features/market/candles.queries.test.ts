import type { Candle } from '@clearwell/ui/components/chart/candles.ts'
import { describe, expect, test } from 'vitest'
import { type CandlePages, withNewer, withOlder } from './candles.queries.ts'

const candle = (minute: number, close = '1'): Candle => ({
  time: new Date(Date.UTC(2026, 2, 1, 0, minute)).toISOString(),
  open: '1',
  high: '2',
  low: '1',
  close,
  volume: '0',
})
const minutes = ({ candles }: CandlePages) => candles.map(({ time }) => new Date(time).getUTCMinutes())
const KNOWN: CandlePages = { candles: [candle(10), candle(11), candle(12)], hasOlder: true }

describe('newer candles', () => {
  test('the first candles may have older ones', () => {
    expect(withNewer(undefined, [candle(1)])).toEqual({ candles: [candle(1)], hasOlder: true })
    expect(withNewer({ candles: [], hasOlder: false }, [candle(1)])).toEqual({ candles: [candle(1)], hasOlder: true })
  })

  test('newer candles replace those of the same time and continue', () => {
    const pages = withNewer(KNOWN, [candle(11, '5'), candle(12, '6'), candle(13, '7')])
    expect(minutes(pages)).toEqual([10, 11, 12, 13])
    expect(pages.candles.map(({ close }) => close)).toEqual(['1', '5', '6', '7'])
  })

  test('newer candles keep the known end of older ones', () => {
    expect(withNewer({ ...KNOWN, hasOlder: false }, [candle(12)]).hasOlder).toBe(false)
  })

  test('newer candles after a hole drop the known ones', () => {
    expect(withNewer({ ...KNOWN, hasOlder: false }, [candle(20)])).toEqual({ candles: [candle(20)], hasOlder: true })
  })

  test('an empty list of newer candles changes nothing', () => {
    expect(withNewer(KNOWN, [])).toEqual(KNOWN)
  })
})

describe('earlier candles', () => {
  test('older candles come first and change no known one', () => {
    const pages = withOlder(KNOWN, [candle(8), candle(9), candle(10, '9')])
    expect(minutes(pages)).toEqual([8, 9, 10, 11, 12])
    expect(pages.candles[2]).toBe(KNOWN.candles[0])
    expect(pages.hasOlder).toBe(true)
  })

  test.each([
    ['none came', []],
    ['none is earlier', [candle(10), candle(11)]],
  ])('older candles end when %s', (_, older) => {
    expect(withOlder(KNOWN, older)).toEqual({ ...KNOWN, hasOlder: false })
  })

  test('older candles are sorted without duplicates', () => {
    expect(minutes(withOlder(KNOWN, [candle(9), candle(7), candle(9), candle(8)]))).toEqual([7, 8, 9, 10, 11, 12])
  })
})

import { CANDLE_INTERVALS, CANDLE_MS } from '@clearwell/rules/candle'
import { beforeEach, describe, expect, test } from 'vitest'
import { createSimulatedCandles } from './simulated-source.ts'
import type { SpotCandleWindow } from './spot-source.ts'

const NOW = new Date('2026-11-21T09:07:42.123Z')
const MINUTE_MS = 60_000

/** The spans whose farthest prices were asked for. */
let reached: [fromMs: number, toMs: number][]
beforeEach(() => {
  reached = []
})

/** Every five seconds the price moves 10 up or down, for a minute each; and every five seconds it gains 1. */
function zigzag(_symbol: string, anchorE18: bigint, timeMs: number): bigint {
  const step = Math.floor(timeMs / 5_000)
  return anchorE18 + BigInt(step) + BigInt(10 * (12 - Math.abs(12 - ((step + 6) % 24))))
}

const at = (timeMs: number) => zigzag('', 0n, timeMs)
/** As many units as milliseconds have passed. */
const passed = (_symbol: string, _anchorE18: bigint, fromMs: number, toMs: number) => BigInt(toMs - fromMs)
/** As far as the price goes in steps of five seconds, where it turns. */
function reach(_symbol: string, anchorE18: bigint, fromMs: number, toMs: number) {
  reached.push([fromMs, toMs])
  let [highE18, lowE18] = [at(toMs), at(toMs)]
  for (let timeMs = fromMs; timeMs < toMs; timeMs += 5_000) {
    const price = at(timeMs)
    if (price > highE18) highE18 = price
    if (price < lowE18) lowE18 = price
  }
  return { highE18: anchorE18 + highE18, lowE18: anchorE18 + lowE18 }
}
const open = () => createSimulatedCandles({ priceAt: zigzag, reachBetween: reach, volumeBetween: passed })
const windowOf = (window: Partial<SpotCandleWindow>): SpotCandleWindow => ({
  interval: '1m',
  from: undefined,
  to: undefined,
  limit: 5,
  ...window,
})

describe('a candle', () => {
  test('a candle has its interval’s first, last, highest and lowest prices', () => {
    const [up, down] = open()('BNBUSDT', 600n, windowOf({ to: new Date('2026-11-21T09:06Z'), limit: 2 }), NOW)
    const startMs = Date.parse('2026-11-21T09:04Z')
    const steps = BigInt(startMs / 5_000)
    // Six steps on, the price has turned at its top; eighteen steps on, at its bottom.
    expect(up).toEqual({
      startsAt: new Date(startMs),
      openE18: 600n + steps + 60n,
      highE18: 600n + steps + 6n + 120n,
      lowE18: 600n + steps + 60n,
      closeE18: 600n + steps + 12n + 60n,
      volume: 60_000n,
    })
    expect(down).toEqual({
      startsAt: new Date(startMs + MINUTE_MS),
      openE18: 600n + steps + 12n + 60n,
      highE18: 600n + steps + 24n + 60n,
      lowE18: 600n + steps + 18n,
      closeE18: 600n + steps + 24n + 60n,
      volume: 60_000n,
    })
  })

  test('an open candle ends now and includes no future price', () => {
    const [candle] = open()('BNBUSDT', 0n, windowOf({ interval: '1h', limit: 1 }), NOW)
    const startMs = Date.parse('2026-11-21T09:00Z')
    expect(reached).toEqual([[startMs, NOW.getTime()]])
    expect(candle).toMatchObject({ startsAt: new Date(startMs), openE18: at(startMs), closeE18: at(NOW.getTime()) })
  })

  test('a candle that starts now is the last, with one price', () => {
    const now = new Date('2026-11-21T09:05Z')
    const price = at(now.getTime())
    expect(open()('BNBUSDT', 0n, windowOf({}), now).at(-1)).toEqual({
      startsAt: now,
      openE18: price,
      highE18: price,
      lowE18: price,
      closeE18: price,
      volume: 0n,
    })
  })
})

describe('a window', () => {
  /** The starts of the candles in it, as minutes and seconds of the hour. */
  const startsIn = (window: Partial<SpotCandleWindow>) =>
    open()('BNBUSDT', 0n, windowOf(window), NOW).map(({ startsAt }) => startsAt.toISOString().slice(11, 16))

  test.each([
    ['without an end it ends with the candle under way', { limit: 3 }, ['09:05', '09:06', '09:07']],
    [
      'of more candles than its limit it has the latest',
      { from: '09:00:00', to: '09:05:00', limit: 2 },
      ['09:03', '09:04'],
    ],
    ['its start is in it, its end is not', { from: '09:02:00', to: '09:04:00' }, ['09:02', '09:03']],
    [
      'candles that start within it are in it',
      { from: '09:01:59.999', to: '09:04:00.001' },
      ['09:02', '09:03', '09:04'],
    ],
    ['a candle that starts before it is not', { from: '09:02:00.001', to: '09:04:00' }, ['09:03']],
    ['between two starts there is nothing', { from: '09:02:00.001', to: '09:03:00' }, []],
    ['of no length there is nothing', { from: '09:02:00', to: '09:02:00' }, []],
    ['that ends before it starts there is nothing', { from: '09:04:00', to: '09:02:00' }, []],
    ['that ends later there is nothing after now', { from: '09:06:00', to: '23:59:59' }, ['09:06', '09:07']],
    ['of the future there is nothing', { from: '09:07:42.124' }, []],
    ['before the candle under way there are only closed ones', { to: '09:07:00', limit: 1 }, ['09:06']],
  ])('%s', (_rule, { from, to, limit = 5 }: { from?: string; to?: string; limit?: number }, starts) => {
    const time = (text?: string) => (text === undefined ? undefined : new Date(`2026-11-21T${text}Z`))
    expect(startsIn({ from: time(from), to: time(to), limit })).toEqual(starts)
  })

  test.each(CANDLE_INTERVALS)('a window of %s candles never starts before 1970', (interval) => {
    const candles = (to: number, from?: number) =>
      open()(
        'BNBUSDT',
        0n,
        windowOf({ interval, to: new Date(to), from: from === undefined ? from : new Date(from) }),
        NOW,
      )
    expect(candles(0)).toEqual([])
    expect(candles(1).map(({ startsAt }) => startsAt.getTime())).toEqual([0])
    expect(candles(2 * CANDLE_MS[interval], 0).map(({ startsAt }) => startsAt.getTime())).toEqual([
      0,
      CANDLE_MS[interval],
    ])
    expect(open()('BNBUSDT', 0n, windowOf({ interval, to: new Date(8.64e15), from: new Date(8.64e15) }), NOW)).toEqual(
      [],
    )
  })
})

describe('the cache of candles', () => {
  test('closed candles are computed once per symbol, anchor and interval', () => {
    const candlesOf = open()
    const window = windowOf({ limit: 1000 })
    const first = candlesOf('BNBUSDT', 0n, window, NOW)
    expect(reached).toHaveLength(1_000)
    reached = []
    expect(candlesOf('BNBUSDT', 0n, window, NOW)).toEqual(first)
    expect(reached).toEqual([[Date.parse('2026-11-21T09:07Z'), NOW.getTime()]])
    expect(candlesOf('BNBUSDT', 1n, window, NOW)).not.toEqual(first)
    for (const [symbol, interval] of [
      ['ETHUSDT', '1m'],
      ['BNBUSDT', '5m'],
    ] as const) {
      reached = []
      candlesOf(symbol, 0n, { ...window, interval, limit: 100 }, NOW)
      expect(reached).toHaveLength(100)
    }
  })

  test('an open candle is computed again until it closes', () => {
    const candlesOf = open()
    const later = (ms: number) => candlesOf('BNBUSDT', 0n, windowOf({ limit: 2 }), new Date(NOW.getTime() + ms))
    const [, openCandle] = later(0)
    expect(later(10_000)[1]?.closeE18).toBe(at(NOW.getTime() + 10_000))
    expect(later(10_000)[1]?.closeE18).not.toBe(openCandle?.closeE18)
    const [closed, next] = later(MINUTE_MS)
    expect(closed?.startsAt).toEqual(openCandle?.startsAt)
    expect(closed?.closeE18).toBe(next?.openE18)
  })

  test('the cache evicts the least recently used candles', () => {
    const candlesOf = open()
    const asked = windowOf({ to: new Date('2026-01-01T00:00Z'), limit: 10 })
    const forgotten = windowOf({ to: new Date('2025-01-01T00:00Z'), limit: 10 })
    const others = (page: number) => windowOf({ to: new Date(NOW.getTime() - page * 1_000 * MINUTE_MS), limit: 1_000 })
    const before = [candlesOf('BNBUSDT', 0n, asked, NOW), candlesOf('BNBUSDT', 0n, forgotten, NOW)]
    for (let page = 0; page < 30; page++) {
      candlesOf('BNBUSDT', 0n, others(page + 1), NOW)
      reached = []
      expect(candlesOf('BNBUSDT', 0n, asked, NOW)).toEqual(before[0])
      expect(reached).toEqual([])
    }
    expect(candlesOf('BNBUSDT', 0n, forgotten, NOW)).toEqual(before[1])
    expect(reached).toHaveLength(10)
  })
})

import { CANDLE_INTERVALS, CANDLE_MS } from '@clearwell/rules/candle'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createBinanceExchange, type Exchange } from './binance-exchange.ts'
import type { SpotReading } from './judge-readings.ts'
import { createLiveCandles } from './live-candles.ts'
import { type SpotCandle, type SpotCandleWindow, SpotUnavailable } from './spot-source.ts'
import { startTestBinance, type TestBinance, testKline } from './testing/binance.ts'

const E18 = 10n ** 18n
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

let nowMs: number
let binance: TestBinance
let exchange: Exchange
let reading: SpotReading | undefined
let candlesOf: (symbol: string, window: SpotCandleWindow) => Promise<SpotCandle[]>
beforeEach(async () => {
  nowMs = Date.UTC(2026, 10, 21, 9, 7, 42)
  reading = undefined
  binance = await startTestBinance(() => nowMs)
  // Never started: candles are asked for without anything running.
  exchange = createBinanceExchange({
    name: 'Binance',
    restUrl: binance.restUrl,
    streamUrl: binance.streamUrl,
    symbols: new Set(['BNBUSDT', 'ETHUSDT']),
    clock: { now: () => new Date(nowMs) },
    random: () => 1,
    rules: {
      maxWeightPerMinute: 3_000,
      timeoutMs: 10_000,
      backoffMs: 1_000,
      maxBackoffMs: 1_000,
      connectTimeoutMs: 1,
      silentAfterMs: 1,
      pollMs: 1,
      syncMs: 1,
    },
    onReading: () => {},
    onFault: () => {},
  })
  candlesOf = open()
})
afterEach(async () => {
  exchange.stop()
  await binance.stop()
})

const open = () =>
  createLiveCandles({ exchange: { ...exchange, reading: () => reading }, clock: { now: () => new Date(nowMs) } })
const windowOf = (window: Partial<SpotCandleWindow>): SpotCandleWindow => ({
  interval: '1m',
  from: undefined,
  to: undefined,
  limit: 5,
  ...window,
})
const startsOf = (candles: readonly SpotCandle[]) => candles.map(({ startsAt }) => startsAt.getTime())

/** Expects one candle for each interval of the window. */
function expectNoHole(candles: readonly SpotCandle[], interval: SpotCandleWindow['interval'] = '1m'): void {
  const starts = startsOf(candles)
  expect(starts).toEqual(starts.map((_, index) => (starts[0] ?? 0) + index * CANDLE_MS[interval]))
}

test.each(CANDLE_INTERVALS)('a thousand candles of %s end with the open one, without gaps', async (interval) => {
  const candles = await candlesOf('BNBUSDT', windowOf({ interval, limit: 1_000 }))
  expect(candles).toHaveLength(1_000)
  expectNoHole(candles, interval)
  expect(candles.at(-1)?.startsAt.getTime()).toBe(Math.floor(nowMs / CANDLE_MS[interval]) * CANDLE_MS[interval])
  // They fall on two pages at most.
  expect(binance.asked.length).toBeLessThanOrEqual(2)
})

test('a candle has the exchange’s figures', async () => {
  const [candle] = await candlesOf('BNBUSDT', windowOf({ to: new Date(Date.UTC(2026, 10, 21, 9)), limit: 1 }))
  // Source: the formula of `testKline`: the price rises by one each minute and restarts after 97 minutes.
  const minute = BigInt(Date.UTC(2026, 10, 21, 8, 59) / MINUTE_MS) % 97n
  expect(candle).toEqual({
    startsAt: new Date(Date.UTC(2026, 10, 21, 8, 59)),
    openE18: (500n + minute) * E18,
    highE18: (500n + minute + 2n) * E18,
    lowE18: (500n + minute - 1n) * E18,
    closeE18: (500n + minute + 1n) * E18,
    volume: 60n * E18,
  })
})

describe('requests to the exchange', () => {
  test('concurrent reads share one request', async () => {
    const results = await Promise.all(Array.from({ length: 50 }, () => candlesOf('BNBUSDT', windowOf({}))))
    expect(binance.asked).toHaveLength(1)
    for (const each of results) expect(each).toEqual(results[0])
  })

  test('closed candles are requested once', async () => {
    const past = windowOf({ to: new Date(nowMs - 30 * 24 * HOUR_MS), limit: 10 })
    const first = await candlesOf('BNBUSDT', past)
    nowMs += 24 * HOUR_MS
    expect(await candlesOf('BNBUSDT', past)).toEqual(first)
    expect(await candlesOf('BNBUSDT', windowOf({ ...past, limit: 3 }))).toEqual(first.slice(-3))
    expect(binance.asked).toHaveLength(1)
  })

  test('the current page is refreshed after five seconds, changed candles only', async () => {
    await candlesOf('BNBUSDT', windowOf({}))
    nowMs += 4_999
    await candlesOf('BNBUSDT', windowOf({}))
    expect(binance.asked).toHaveLength(1)
    nowMs += 1
    const candles = await candlesOf('BNBUSDT', windowOf({}))
    expect(binance.asked).toHaveLength(2)
    expect(binance.asked[1]?.query.startTime).toBe(String(Date.UTC(2026, 10, 21, 9, 7)))
    expect(candles.at(-1)?.volume).toBe(47n * E18)
    expectNoHole(candles)
  })

  test('a new candle is requested immediately, together with the previous one', async () => {
    nowMs = Date.UTC(2026, 10, 21, 9, 7, 59)
    await candlesOf('BNBUSDT', windowOf({}))
    nowMs += 2_000
    const candles = await candlesOf('BNBUSDT', windowOf({ limit: 2 }))
    expect(startsOf(candles)).toEqual([Date.UTC(2026, 10, 21, 9, 7), Date.UTC(2026, 10, 21, 9, 8)])
    expect(candles.map(({ volume }) => volume)).toEqual([60n * E18, 1n * E18])
  })

  test('the cache evicts the least recently read pages first', async () => {
    const page = (index: number) => windowOf({ to: new Date((index + 1) * 1_000 * MINUTE_MS), limit: 1 })
    for (let index = 1; index <= 60; index++) await candlesOf('BNBUSDT', page(index))
    await candlesOf('BNBUSDT', page(1))
    expect(binance.asked).toHaveLength(60)
    await candlesOf('BNBUSDT', page(61))
    await candlesOf('BNBUSDT', page(1))
    expect(binance.asked).toHaveLength(61)
    await candlesOf('BNBUSDT', page(2))
    expect(binance.asked).toHaveLength(62)
  })
})

describe('the open candle', () => {
  const read = (priceE18: bigint, timeMs: number) => {
    reading = { name: 'Binance', priceE18, time: new Date(timeMs) }
  }
  const lastOf = async () => (await candlesOf('BNBUSDT', windowOf({}))).at(-1) as SpotCandle

  test('the open candle closes at the ticker’s price and includes it', async () => {
    const before = await lastOf()
    nowMs += 1_000
    read(900n * E18, nowMs)
    expect(await lastOf()).toEqual({ ...before, highE18: 900n * E18, closeE18: 900n * E18 })
    read(1n * E18, nowMs)
    expect(await lastOf()).toEqual({ ...before, lowE18: 1n * E18, closeE18: 1n * E18 })
    expect(binance.asked).toHaveLength(1)
  })

  test('the open candle ignores older prices and those of other candles', async () => {
    const before = await lastOf()
    for (const timeMs of [nowMs - 1, Date.UTC(2026, 10, 21, 9, 8), Date.UTC(2026, 10, 21, 9, 6, 59)]) {
      read(900n * E18, timeMs)
      expect(await lastOf()).toEqual(before)
    }
  })

  test('a closed candle never changes', async () => {
    read(900n * E18, nowMs)
    const [closed] = await candlesOf('BNBUSDT', windowOf({ to: new Date(Date.UTC(2026, 10, 21, 9, 7)), limit: 1 }))
    expect(closed?.closeE18).not.toBe(900n * E18)
  })
})

describe('where the exchange has no candle', () => {
  const hole = (fromMs: number, toMs: number) => {
    binance.isHole = (startMs) => startMs >= fromMs && startMs < toMs
  }

  test('a gap is filled with a flat candle without volume', async () => {
    hole(Date.UTC(2026, 10, 21, 9, 1), Date.UTC(2026, 10, 21, 9, 4))
    const candles = await candlesOf('BNBUSDT', windowOf({ limit: 10 }))
    expectNoHole(candles)
    const close = candles[2]?.closeE18 as bigint
    for (const flat of candles.slice(3, 6)) {
      expect(flat).toMatchObject({ openE18: close, highE18: close, lowE18: close, closeE18: close, volume: 0n })
    }
    expect(candles[6]?.volume).toBe(60n * E18)
  })

  test('a gap over a whole page requests the previous close', async () => {
    const pageMs = 1_000 * MINUTE_MS
    const startMs = Math.floor(nowMs / pageMs) * pageMs - 2 * pageMs
    hole(startMs, startMs + pageMs + 5 * MINUTE_MS)
    const candles = await candlesOf(
      'BNBUSDT',
      windowOf({ from: new Date(startMs - 2 * MINUTE_MS), to: new Date(startMs + 990 * MINUTE_MS), limit: 1_000 }),
    )
    expect(candles).toHaveLength(992)
    expectNoHole(candles)
    const close = candles[1]?.closeE18 as bigint
    expect(candles.slice(2).every(({ openE18, volume }) => openE18 === close && volume === 0n)).toBe(true)
  })

  test('candles before a symbol’s listing do not exist, requested only once', async () => {
    binance.listedMs = Date.UTC(2026, 10, 20, 12)
    const candles = await candlesOf('BNBUSDT', windowOf({ interval: '1h', limit: 1_000 }))
    expect(startsOf(candles)[0]).toBe(binance.listedMs)
    expect(candles).toHaveLength(22)
    expectNoHole(candles, '1h')
    const asked = binance.asked.length
    for (let year = 1971; year < 2020; year++) {
      expect(await candlesOf('BNBUSDT', windowOf({ to: new Date(Date.UTC(year, 0)), limit: 1_000 }))).toEqual([])
    }
    expect(binance.asked.length).toBe(asked)
  })
})

describe('where the exchange cannot be asked', () => {
  const candlesNow = () => candlesOf('BNBUSDT', windowOf({}))

  test('an unreachable exchange leaves cached candles and invents none', async () => {
    const before = await candlesNow()
    binance.lie = () => ({ status: 500 })
    nowMs += 10 * MINUTE_MS
    const candles = await candlesOf('BNBUSDT', windowOf({ limit: 100 }))
    expect(candles.at(-1)).toEqual(before.at(-1))
    expectNoHole(candles)
    binance.lie = undefined
    nowMs += 2_000
    expect((await candlesNow()).at(-1)?.startsAt.getTime()).toBe(Date.UTC(2026, 10, 21, 9, 17))
  })

  test.each<[string, object]>([
    ['is away', { status: 503 }],
    ['sends a page', { body: '<html>' }],
    ['sends candles of another time', { body: [testKline(0, 60_000, 60_000)] }],
  ])('candles are unavailable without a cache when the exchange %s', async (_name, lie) => {
    binance.lie = () => lie
    await expect(candlesNow()).rejects.toThrow(SpotUnavailable)
  })

  test('an unreachable exchange never leaves gaps between cached candles', async () => {
    const pageMs = 1_000 * MINUTE_MS
    // In the middle of a page, so that it ends later.
    nowMs = Math.floor(nowMs / pageMs) * pageMs + pageMs / 2
    await candlesNow()
    nowMs += pageMs
    binance.lie = ({ query }) => (Number(query.startTime) < nowMs - pageMs / 2 - 1 ? { status: 400 } : undefined)
    await expect(candlesOf('BNBUSDT', windowOf({ limit: 700 }))).rejects.toThrow(SpotUnavailable)
    // The newer page alone can be shown.
    expect(await candlesOf('BNBUSDT', windowOf({ limit: 400 }))).toHaveLength(400)
  })

  test('a candle that closed during an outage is requested again', async () => {
    nowMs = Date.UTC(2026, 10, 21, 9, 7, 30)
    await candlesNow()
    nowMs += 5 * MINUTE_MS
    const candles = await candlesOf('BNBUSDT', windowOf({ limit: 8 }))
    expectNoHole(candles)
    expect(candles.slice(0, -1).every(({ volume }) => volume === 60n * E18)).toBe(true)
  })
})

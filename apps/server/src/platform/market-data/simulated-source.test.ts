import { CANDLE_INTERVALS, type CandleInterval } from '@clearwell/rules/candle'
import { beforeEach, describe, expect, test } from 'vitest'
import { type AnchorStore, createSimulatedSource, type SimulatedSource } from './simulated-source.ts'
import type { SpotCandle } from './spot-source.ts'

const E18 = 10n ** 18n
const PPM = 1_000_000n
const DAY_MS = 86_400_000
/** As far as all waves together can carry a price from its anchor, in millionths. */
const REACH_PPM = 88_620n

let timeMs: number
let saved: Map<string, bigint>
const clock = { now: () => new Date(timeMs) }
const store: AnchorStore = {
  load: async () => new Map(saved),
  save: async (symbol, anchorE18) => void saved.set(symbol, anchorE18),
}

function open(seed = 'clearwell'): Promise<SimulatedSource> {
  const anchors = new Map([
    ['BNBUSDT', 620n * E18],
    ['ETHUSDT', 3_300n * E18],
  ])
  return createSimulatedSource({ seed, clock, anchors, store })
}

async function priceOf(source: SimulatedSource, symbol = 'BNBUSDT'): Promise<bigint> {
  return (await source.ticker(symbol))?.priceE18 as bigint
}

async function candlesOf(
  source: SimulatedSource,
  interval: CandleInterval,
  limit = 50,
): Promise<readonly SpotCandle[]> {
  return (await source.candles('BNBUSDT', { interval, from: undefined, to: undefined, limit })) ?? []
}

beforeEach(() => {
  timeMs = Date.UTC(2026, 10, 21, 9)
  saved = new Map()
})

describe('a simulated price', () => {
  test('a simulated price depends only on seed and time', async () => {
    const [first, again, other] = [await open(), await open(), await open('another')]
    expect(await again.ticker('BNBUSDT')).toEqual(await first.ticker('BNBUSDT'))
    expect(await priceOf(other)).not.toBe(await priceOf(first))
  })

  // Source: the prices of version 0.1. An update must not change the past of a chart.
  test.each([
    ['BNBUSDT', '2026-11-21T09:00:00Z', 636_852_220_000_000_000_000n],
    ['BNBUSDT', '2026-11-21T09:07:42.123Z', 637_548_480_000_000_000_000n],
    ['ETHUSDT', '2031-02-03T04:05:06.789Z', 3_489_627_900_000_000_000_000n],
  ])('the simulated price of %s at %s never changes between versions', async (symbol, time, price) => {
    const source = await open()
    timeMs = Date.parse(time)
    expect(await priceOf(source, symbol)).toBe(price)
  })

  test('a simulated price moves with time without changing its past', async () => {
    const source = await open()
    const start = await priceOf(source)
    timeMs += 1_500
    expect(await priceOf(source)).not.toBe(start)
    timeMs -= 1_500
    expect(await priceOf(source)).toBe(start)
  })

  test('a simulated price stays within its waves’ reach for a year', async () => {
    const source = await open()
    const [low, high] = [(620n * E18 * (PPM - REACH_PPM)) / PPM, (620n * E18 * (PPM + REACH_PPM)) / PPM]
    const seen = new Set<bigint>()
    for (let hour = 0; hour < 365 * 24; hour += 7) {
      timeMs += 7 * 3_600_000
      const ticker = await source.ticker('BNBUSDT')
      const price = ticker?.priceE18 as bigint
      seen.add(price)
      expect(price >= low && price <= high).toBe(true)
      expect((ticker?.lowE18 as bigint) <= price && (ticker?.highE18 as bigint) >= price).toBe(true)
    }
    expect(seen.size).toBeGreaterThan(1_000)
  })

  test('a simulated price reports its change since the day before', async () => {
    const source = await open()
    const dayAgo = await priceOf(source)
    timeMs += DAY_MS
    const ticker = await source.ticker('BNBUSDT')
    const change = (((ticker?.priceE18 as bigint) - dayAgo) * PPM) / dayAgo
    expect(ticker?.changePpm).toBe(change)
    expect(ticker?.time).toEqual(new Date(timeMs))
    expect(ticker).toMatchObject({ state: 'fresh', source: 'simulated market' })
    expect(ticker?.sources).toEqual([
      { name: 'simulated exchange', priceE18: ticker?.priceE18, time: ticker?.time, stale: false },
      { name: 'simulated feed', priceE18: ticker?.priceE18, time: ticker?.time, stale: false },
    ])
  })

  test('an unknown symbol has no simulated price', async () => {
    const source = await open()
    expect(await source.ticker('DOGEUSDT')).toBeUndefined()
    expect(await source.ticker('__proto__')).toBeUndefined()
    expect(
      await source.candles('DOGEUSDT', { interval: '1m', from: undefined, to: undefined, limit: 1 }),
    ).toBeUndefined()
    expect(await source.setPrice('DOGEUSDT', E18)).toBe(false)
    expect(saved.size).toBe(0)
  })
})

describe('a price that is set', () => {
  test.each([1n, 123_456_789n, E18 / 3n, 700n * E18, 10n ** 30n])(
    'a set price of %d holds at that moment, for that symbol',
    async (price) => {
      const source = await open()
      const eth = await priceOf(source, 'ETHUSDT')
      expect(await source.setPrice('BNBUSDT', price)).toBe(true)
      // Up to one unit above: the anchor is rounded up so that it is never zero.
      const set = await priceOf(source)
      expect(set === price || set === price + 1n).toBe(true)
      expect(await priceOf(source, 'ETHUSDT')).toBe(eth)
    },
  )

  test('a set price of one unit has 24-hour figures', async () => {
    const source = await open()
    for (let step = 0; step < 300; step++) {
      await source.setPrice('BNBUSDT', 1n)
      const { priceE18, changePpm } = (await source.ticker('BNBUSDT')) ?? {}
      expect([priceE18, typeof changePpm]).toEqual([1n, 'bigint'])
      timeMs += DAY_MS / 5
    }
  })

  test('a set price moves on from its anchor, also after a restart', async () => {
    const source = await open()
    await source.setPrice('BNBUSDT', 700n * E18)
    timeMs += 60_000
    const moved = await priceOf(source)
    expect(moved).not.toBe(700n * E18)
    expect((moved - 700n * E18) ** 2n).toBeLessThan((14n * E18) ** 2n)
    expect(await priceOf(await open())).toBe(moved)
  })
})

describe('the candles of a simulated price', () => {
  test.each(CANDLE_INTERVALS)('candles of %s match the ticker at their starts and now', async (interval) => {
    timeMs += 12_345
    const nowMs = timeMs
    const source = await open()
    const candles = await candlesOf(source, interval)
    expect(candles).toHaveLength(50)
    expect(candles.at(-1)?.closeE18).toBe(await priceOf(source))
    for (const { startsAt, openE18, highE18, lowE18, closeE18 } of candles) {
      timeMs = startsAt.getTime()
      expect(timeMs).toBeLessThanOrEqual(nowMs)
      expect(openE18).toBe(await priceOf(source))
      expect(highE18 >= openE18 && highE18 >= closeE18 && lowE18 <= openE18 && lowE18 <= closeE18).toBe(true)
    }
    expect(candles.slice(0, -1).map(({ closeE18 }) => closeE18)).toEqual(candles.slice(1).map(({ openE18 }) => openE18))
    // Prices that stand still, or candles that are nothing but their ends, would be no market.
    expect(new Set(candles.map(({ openE18 }) => openE18)).size).toBeGreaterThan(40)
    expect(candles.some(({ openE18, highE18, closeE18 }) => highE18 > openE18 && highE18 > closeE18)).toBe(true)
  })

  test('a minute’s candle includes the extremes of all its seconds', async () => {
    const source = await open()
    timeMs += 10 * 60_000
    const candles = (await candlesOf(source, '1m', 11)).slice(0, 10)
    for (const { startsAt, highE18, lowE18 } of candles) {
      for (let second = 0; second < 60; second++) {
        timeMs = startsAt.getTime() + second * 1_000
        const price = await priceOf(source)
        expect(price <= highE18 && price >= lowE18).toBe(true)
      }
    }
  })

  test.each(CANDLE_INTERVALS)('candles of %s depend only on the seed', async (interval) => {
    const first = await candlesOf(await open(), interval)
    expect(await candlesOf(await open(), interval)).toEqual(first)
    expect(await candlesOf(await open('another'), interval)).not.toEqual(first)
  })

  test('the candles of 24 hours add up to the ticker’s volume', async () => {
    const source = await open()
    const minutes = await candlesOf(source, '1m', 1_441)
    const sum = minutes.reduce((total, { volume }) => total + volume, 0n)
    expect((await source.ticker('BNBUSDT'))?.volume).toBe(sum)
    expect(sum > 0n).toBe(true)
  })

  test('closed candles stay the same as time passes', async () => {
    const source = await open()
    const before = (await candlesOf(source, '5m')).slice(0, -1)
    timeMs += 20 * 60_000
    const since = await source.candles('BNBUSDT', {
      interval: '5m',
      from: before[0]?.startsAt,
      to: undefined,
      limit: 99,
    })
    expect(since).toHaveLength(before.length + 5)
    expect(since?.slice(0, before.length)).toEqual(before)
  })

  test('all candles follow a set price, also after a restart', async () => {
    const source = await open()
    const before = await candlesOf(source, '1h')
    await source.setPrice('BNBUSDT', 1_240n * E18)
    const after = await candlesOf(source, '1h')
    expect(after.at(-1)?.closeE18).toBe(await priceOf(source))
    for (const [index, { openE18 }] of after.entries()) {
      const [now, then] = [Number(openE18), Number(before[index]?.openE18)]
      expect(now / then).toBeCloseTo(Number(after.at(-1)?.closeE18) / Number(before.at(-1)?.closeE18), 9)
    }
    expect(await candlesOf(await open(), '1h')).toEqual(after)
  })
})

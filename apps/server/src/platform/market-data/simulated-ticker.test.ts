import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { CANDLE_INTERVALS, CANDLE_MS } from '@clearwell/rules/candle'
import { beforeEach, describe, expect, test } from 'vitest'
import { createSimulatedSource, type SimulatedSource, type SimulatedTicker } from './simulated-source.ts'
import type { SpotCandle } from './spot-source.ts'

const E18 = 10n ** 18n
const PPM = 1_000_000n
const MINUTE_MS = 60_000
const DAY_MS = CANDLE_MS['1d']

let timeMs: number
const clock = { now: () => new Date(timeMs) }
beforeEach(() => {
  timeMs = Date.UTC(2026, 10, 21, 9)
})

function open(seed = 'clearwell'): Promise<SimulatedSource> {
  const store = { load: async () => new Map(), save: async () => {} }
  return createSimulatedSource({ seed, clock, anchors: new Map([['BNBUSDT', 620n * E18]]), store })
}

async function tickerOf(source: SimulatedSource): Promise<SimulatedTicker> {
  const ticker = await source.ticker('BNBUSDT')
  if (!ticker) throw new Error('no ticker')
  return ticker
}

/** The minutes that touch the last 24 hours. */
async function minutesOf(source: SimulatedSource): Promise<readonly SpotCandle[]> {
  const from = new Date(Math.floor((timeMs - DAY_MS) / MINUTE_MS) * MINUTE_MS)
  return (await source.candles('BNBUSDT', { interval: '1m', from, to: undefined, limit: 2_000 })) ?? []
}

const highest = (prices: readonly bigint[]) => prices.reduce(maxUnits)
const lowest = (prices: readonly bigint[]) => prices.reduce(minUnits)

const TIMES = [
  '2026-11-21T09:00:00Z',
  '2026-11-22T00:00:00.001Z',
  '2027-02-28T13:59:59.999Z',
  '2031-02-03T04:05:06.789Z',
]

describe.each(['clearwell', 'another', 'a third'])('the figures of 24 hours of seed %s', (seed) => {
  test.each(TIMES)('24-hour figures match the minutes that they include at %s', async (time) => {
    timeMs = Date.parse(time)
    const source = await open(seed)
    const ticker = await tickerOf(source)
    const minutes = await minutesOf(source)
    expect(minutes).toHaveLength(1_441)
    expect(ticker.highE18).toBe(highest(minutes.map(({ highE18 }) => highE18)))
    expect(ticker.lowE18).toBe(lowest(minutes.map(({ lowE18 }) => lowE18)))
    expect(ticker.volume).toBe(minutes.reduce((sum, { volume }) => sum + volume, 0n))
    const first = minutes[0]?.openE18 as bigint
    expect(ticker.changePpm).toBe(((ticker.priceE18 - first) * PPM) / first)
  })

  test.each([
    ['highest', 'highE18'],
    ['lowest', 'lowE18'],
  ] as const)('the 24-hour range only widens until a minute drops out (%s)', async (_where, side) => {
    const source = await open(seed)
    const isFarther = (a: SpotCandle, b: SpotCandle) =>
      side === 'highE18' ? a.highE18 > b.highE18 : a.lowE18 < b.lowE18
    const window = { interval: '1h', from: undefined, to: undefined, limit: 500 } as const
    const hours = (await source.candles('BNBUSDT', window)) ?? []
    // An hour in which the price goes farther than in the day before, and there the minute in which it does.
    const hour = hours.find(
      (each, index) => index > 25 && hours.slice(index - 25, index).every((other) => isFarther(each, other)),
    )
    timeMs = (hour?.startsAt.getTime() as number) + CANDLE_MS['1h']
    const minute = (await minutesOf(source)).find((candle) => candle[side] === hour?.[side])
    timeMs = (minute?.startsAt.getTime() as number) - 2 * MINUTE_MS
    const atStart = await tickerOf(source)
    let before = atStart
    for (const endMs = timeMs + 4 * MINUTE_MS; timeMs < endMs; timeMs += 250) {
      const ticker = await tickerOf(source)
      if (timeMs % MINUTE_MS !== 0) {
        expect(ticker.highE18 >= before.highE18 && ticker.lowE18 <= before.lowE18).toBe(true)
        expect(ticker.volume >= before.volume).toBe(true)
      }
      expect(ticker.highE18 >= ticker.priceE18 && ticker.lowE18 <= ticker.priceE18).toBe(true)
      before = ticker
    }
    // The test would see nothing where the price only stays within what it was before.
    expect(before[side]).not.toBe(atStart[side])
  })

  test('24-hour figures stay the same without new extremes or expired minutes', async () => {
    const source = await open(seed)
    const { highE18, lowE18, priceE18 } = await tickerOf(source)
    // None of the three seeds is at an extreme then.
    expect(priceE18 < highE18 && priceE18 > lowE18).toBe(true)
    for (let look = 1; look < 60; look++) {
      timeMs += 1_000
      expect(await tickerOf(source)).toMatchObject({ highE18, lowE18 })
    }
  })

  test.each(CANDLE_INTERVALS.slice(1).map((longer, index) => [longer, CANDLE_INTERVALS[index] ?? '1m'] as const))(
    'a %s candle equals the sum of its candles of %s',
    async (longer, shorter) => {
      timeMs += 12_345
      const source = await open(seed)
      const wholes = await source.candles('BNBUSDT', { interval: longer, from: undefined, to: undefined, limit: 6 })
      for (const whole of wholes ?? []) {
        const to = new Date(whole.startsAt.getTime() + CANDLE_MS[longer])
        const parts =
          (await source.candles('BNBUSDT', { interval: shorter, from: whole.startsAt, to, limit: 99 })) ?? []
        expect(whole).toEqual({
          startsAt: whole.startsAt,
          openE18: parts[0]?.openE18,
          highE18: highest(parts.map(({ highE18 }) => highE18)),
          lowE18: lowest(parts.map(({ lowE18 }) => lowE18)),
          closeE18: parts.at(-1)?.closeE18,
          volume: parts.reduce((sum, { volume }) => sum + volume, 0n),
        })
      }
      expect(wholes).toHaveLength(6)
    },
  )
})

test('a day’s candle combines its 1,440 minutes', async () => {
  const source = await open()
  const to = new Date(Math.floor(timeMs / DAY_MS) * DAY_MS)
  const [day] = (await source.candles('BNBUSDT', { interval: '1d', from: undefined, to, limit: 1 })) ?? []
  const minutes = (await source.candles('BNBUSDT', { interval: '1m', from: undefined, to, limit: 1_440 })) ?? []
  expect(day?.highE18).toBe(highest(minutes.map(({ highE18 }) => highE18)))
  expect(day?.lowE18).toBe(lowest(minutes.map(({ lowE18 }) => lowE18)))
  expect(day?.volume).toBe(minutes.reduce((sum, { volume }) => sum + volume, 0n))
})

test('a set price moves the 24-hour figures immediately, matching the minute candles', async () => {
  timeMs += 12_345
  const source = await open()
  const before = await tickerOf(source)
  await source.setPrice('BNBUSDT', 2n * before.priceE18)
  const ticker = await tickerOf(source)
  const minutes = await minutesOf(source)
  expect(ticker.lowE18).toBeGreaterThan(before.highE18)
  expect(ticker.highE18).toBe(highest(minutes.map(({ highE18 }) => highE18)))
  expect(ticker.lowE18).toBe(lowest(minutes.map(({ lowE18 }) => lowE18)))
  expect(ticker.volume).toBe(minutes.reduce((sum, { volume }) => sum + volume, 0n))
})

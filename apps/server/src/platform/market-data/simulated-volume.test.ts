import { CANDLE_INTERVALS, CANDLE_MS } from '@clearwell/rules/candle'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSimulatedVolume } from './simulated-volume.ts'

const E18 = 10n ** 18n
const ANCHOR = 620n * E18
const START_MS = Date.UTC(2026, 10, 21)
const DAY_MS = 86_400_000

const between = createSimulatedVolume('clearwell')
const volume = (fromMs: number, toMs: number) => between('BNBUSDT', ANCHOR, fromMs, toMs)

test.each(CANDLE_INTERVALS.slice(1).map((longer, index) => [longer, CANDLE_INTERVALS[index] ?? '1m'] as const))(
  'the volume of %s is the exact sum of those of %s',
  (longer, shorter) => {
    for (let startMs = START_MS; startMs < START_MS + 2 * DAY_MS; startMs += CANDLE_MS[longer]) {
      let sum = 0n
      for (let partMs = startMs; partMs < startMs + CANDLE_MS[longer]; partMs += CANDLE_MS[shorter])
        sum += volume(partMs, partMs + CANDLE_MS[shorter])
      expect(sum).toBe(volume(startMs, startMs + CANDLE_MS[longer]))
    }
  },
)

test('volume never shrinks and adds up over any split', () => {
  const time = fc.integer({ min: START_MS, max: START_MS + 3 * DAY_MS })
  fc.assert(
    fc.property(time, time, time, (...times) => {
      const [a = 0, b = 0, c = 0] = times.toSorted((x, y) => x - y)
      expect(volume(a, b) >= 0n).toBe(true)
      expect(volume(a, b) + volume(b, c)).toBe(volume(a, c))
    }),
  )
})

test('volume depends only on seed, symbol and day', () => {
  const day = volume(START_MS, START_MS + DAY_MS)
  expect(createSimulatedVolume('clearwell')('BNBUSDT', ANCHOR, START_MS, START_MS + DAY_MS)).toBe(day)
  expect(createSimulatedVolume('other')('BNBUSDT', ANCHOR, START_MS, START_MS + DAY_MS)).not.toBe(day)
  expect(between('ETHUSDT', ANCHOR, START_MS, START_MS + DAY_MS)).not.toBe(day)
  expect(volume(START_MS + DAY_MS, START_MS + 2 * DAY_MS)).not.toBe(day)
})

test('a day’s volume is worth 25 to 75 million in unequal hours', () => {
  for (let day = 0; day < 50; day++) {
    const startMs = START_MS + day * DAY_MS
    const worth = (volume(startMs, startMs + DAY_MS) * ANCHOR) / E18
    expect(worth >= 24_999_999n * E18 && worth <= 75_050_000n * E18).toBe(true)
  }
  const hours = Array.from({ length: 24 }, (_, hour) =>
    volume(START_MS + hour * CANDLE_MS['1h'], START_MS + (hour + 1) * CANDLE_MS['1h']),
  )
  expect(new Set(hours).size).toBe(24)
  expect(hours.every((each) => each > 0n)).toBe(true)
})

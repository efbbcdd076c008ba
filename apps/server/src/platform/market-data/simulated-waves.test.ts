import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { createWaves } from './simulated-waves.ts'

const hashed = vi.hoisted(() => ({ count: 0 }))
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>()
  return {
    ...crypto,
    hash: (...args: Parameters<typeof crypto.hash>) => {
      hashed.count += 1
      return crypto.hash(...args)
    },
  }
})

const START_MS = Date.UTC(2026, 10, 21)
const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS

test('extremes between two times lie at the ends or turning points', () => {
  const waves = createWaves('clearwell:BNBUSDT')
  const time = fc.integer({ min: START_MS, max: START_MS + 3 * DAY_MS })
  const lengthMs = fc.oneof(fc.integer({ min: 0, max: 10 * MINUTE_MS }), fc.integer({ min: 0, max: 2 * DAY_MS }))
  fc.assert(
    fc.property(time, lengthMs, (fromMs, length) => {
      const toMs = fromMs + length
      let [high, low] = [waves.at(toMs), waves.at(toMs)]
      for (let timeMs = fromMs; timeMs < toMs; timeMs = (Math.floor(timeMs / 5_000) + 1) * 5_000) {
        high = Math.max(high, waves.at(timeMs))
        low = Math.min(low, waves.at(timeMs))
      }
      expect(waves.between(fromMs, toMs)).toEqual({ high, low })
    }),
    { numRuns: 60 },
  )
})

test('waves are monotonic between turning points', () => {
  const waves = createWaves('clearwell:BNBUSDT')
  for (let turnMs = START_MS; turnMs < START_MS + 5 * MINUTE_MS; turnMs += 5_000) {
    const isUp = waves.at(turnMs + 5_000) >= waves.at(turnMs)
    for (let timeMs = turnMs; timeMs < turnMs + 5_000; timeMs += 50) {
      const [now, next] = [waves.at(timeMs), waves.at(timeMs + 50)]
      expect(isUp ? next >= now : next <= now).toBe(true)
    }
  }
})

test('a day’s waves are evaluated only at possible extremes, once', () => {
  const waves = createWaves('clearwell:BNBUSDT')
  const nowMs = START_MS + 7 * MINUTE_MS + 20_000
  hashed.count = 0
  waves.between(nowMs - 20_000 - DAY_MS, nowMs)
  // At each turn it would be 17,280 of the shortest wave alone.
  expect(hashed.count).toBeLessThan(3_000)
  // Many others, so that no height of the shortest wave is still at hand.
  for (let turn = 0; turn < 5_010; turn++) waves.at(nowMs + 300 * DAY_MS + turn * 5_000)
  hashed.count = 0
  for (let passedMs = 250; passedMs < 40_000; passedMs += 250) waves.between(nowMs - 20_000 - DAY_MS, nowMs + passedMs)
  // The turning points of the open minute, including its two ends.
  expect(hashed.count).toBeLessThanOrEqual(13)
})

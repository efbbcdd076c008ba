import { maxUnits, minUnits } from '@clearwell/money/min-max'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeReadings, listSources, type SpotReading } from './judge-readings.ts'

const NOW = new Date('2026-11-21T09:00:00Z')
const RULES = { staleAfterMs: 60_000, maxDisagreementBps: 200, maxClearingDisagreementBps: 1_000 }

/** Readings of a name, a price and how many seconds old each is. */
const readings = (...given: [name: string, priceE18: bigint, ageS?: number][]): SpotReading[] =>
  given.map(([name, priceE18, ageS = 0]) => ({ name, priceE18, time: new Date(NOW.getTime() - ageS * 1_000) }))
const judge = (...given: Parameters<typeof readings>) => judgeReadings(readings(...given), NOW, RULES)

// Source: worked out by hand.
test.each([
  ['the same', 1_000n, 1_000n, 'fresh', 1_000n],
  ['a little apart', 1_000n, 1_010n, 'fresh', 1_005n],
  ['the other way round', 1_010n, 1_000n, 'fresh', 1_005n],
  ['apart by an odd number, so the mean is rounded down', 1_000n, 1_001n, 'fresh', 1_000n],
  ['exactly 2 % apart', 1_000n, 1_020n, 'fresh', 1_010n],
  ['just over 2 % apart', 1_000n, 1_021n, 'apart', 1_010n],
  ['exactly 10 % apart', 1_000n, 1_100n, 'apart', 1_050n],
])('two fresh sources that are %s have both prices', (_name, a, b, state, meanE18) => {
  expect(judge(['A', a, 5], ['B', b, 20])).toEqual({
    state,
    lowE18: minUnits(a, b),
    highE18: maxUnits(a, b),
    meanE18,
    time: new Date(NOW.getTime() - 20_000),
    goodUntil: new Date(NOW.getTime() + 40_000),
  })
})

test.each([
  ['up', 1_000n, 1_101n],
  ['down', 1_101n, 1_000n],
  ['by so much', 1_000n, 10n ** 30n],
])('two sources more than 10%% apart (%s) have no price', (_name, a, b) => {
  expect(judge(['A', a], ['B', b])).toEqual({ state: 'unknown', why: 'contradiction' })
})

/**
 * @attack S14 A wick of the one exchange that was left liquidated loans, as one fresh source was a price.
 * @holds One fresh source is shown, but it is no price for money.
 */
test('one fresh source is no price for money', () => {
  expect(judge(['A', 620n, 3])).toEqual({
    state: 'one_source',
    priceE18: 620n,
    time: new Date(NOW.getTime() - 3_000),
  })
  expect(judge(['A', 400n, 3], ['B', 620n, 61])).toMatchObject({ state: 'one_source', priceE18: 400n })
})

describe('a source that is too old', () => {
  test('a reading counts until it is exactly one minute old', () => {
    expect(judge(['A', 1_000n, 60], ['B', 1_000n])).toMatchObject({ state: 'fresh', goodUntil: NOW })
    expect(judge(['A', 1_000n, 60.001], ['B', 2_000n])).toMatchObject({ state: 'one_source', priceE18: 2_000n })
  })

  test('a reading ends with its heartbeat, however new it is', () => {
    const at = (ms: number) => new Date(NOW.getTime() + ms)
    const [one, feed] = readings(['A', 1_000n], ['B', 1_000n]) as [SpotReading, SpotReading]
    const until = (validUntil: Date) => judgeReadings([one, { ...feed, validUntil }], NOW, RULES)
    expect(until(at(-1))).toMatchObject({ state: 'one_source' })
    expect(until(at(0))).toMatchObject({ state: 'fresh', goodUntil: NOW })
    expect(until(at(3_600_000))).toMatchObject({ state: 'fresh', goodUntil: at(60_000) })
  })

  test('old readings alone show the latest of them as stale', () => {
    expect(judge(['A', 1_000n, 90], ['B', 1_010n, 61])).toEqual({
      state: 'stale',
      priceE18: 1_010n,
      time: new Date(NOW.getTime() - 61_000),
    })
  })

  test('no reading at all is unknown', () => {
    expect(judge()).toEqual({ state: 'unknown', why: 'never_read' })
  })

  test('an old reading is listed as stale with its price', () => {
    expect(listSources(readings(['A', 1_000n, 61], ['B', 2_000n]), NOW, RULES)).toMatchObject([
      { name: 'A', priceE18: 1_000n, stale: true },
      { name: 'B', priceE18: 2_000n, stale: false },
    ])
  })
})

test('a lying source moves the mean by half the limit', () => {
  const price = fc.bigInt({ min: 1_000n, max: 10n ** 30n })
  fc.assert(
    fc.property(price, price, (honest, lie) => {
      const judged = judge(['A', honest], ['B', lie])
      if (!('meanE18' in judged)) return
      const apart = judged.meanE18 > honest ? judged.meanE18 - honest : honest - judged.meanE18
      const limit = judged.state === 'fresh' ? 100n : 500n
      expect((apart - 1n) * 10_000n <= honest * limit).toBe(true)
    }),
  )
})

test('the order of the sources does not change the price', () => {
  const reading = fc.record({
    name: fc.string(),
    priceE18: fc.bigInt({ min: 1n, max: 10n ** 4n }),
    time: fc.integer({ min: 0, max: 120_000 }).map((ageMs) => new Date(NOW.getTime() - ageMs)),
  })
  fc.assert(
    fc.property(reading, reading, (one, other) => {
      const judged = judgeReadings([one, other], NOW, RULES)
      if ('meanE18' in judged) expect(judgeReadings([other, one], NOW, RULES)).toEqual(judged)
    }),
  )
})

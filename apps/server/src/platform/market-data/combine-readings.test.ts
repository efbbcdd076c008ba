import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { combineReadings, type SpotReading } from './combine-readings.ts'

const NOW = new Date('2026-11-21T09:00:00Z')
const RULES = { staleAfterMs: 60_000, maxDisagreementBps: 200 }

/** Readings of a name, a price and how many seconds old each is. */
const readings = (...given: [name: string, priceE18: bigint, ageS?: number][]): SpotReading[] =>
  given.map(([name, priceE18, ageS = 0]) => ({ name, priceE18, time: new Date(NOW.getTime() - ageS * 1_000) }))
const combine = (...given: Parameters<typeof readings>) => combineReadings(readings(...given), NOW, RULES)

describe('the price', () => {
  test('the price of a single source is its reading', () => {
    expect(combine(['A', 620n, 3])).toMatchObject({
      priceE18: 620n,
      names: ['A'],
      time: new Date(NOW.getTime() - 3_000),
    })
  })

  // Source: worked out by hand.
  test.each([
    ['the same', 1_000n, 1_000n, 1_000n],
    ['apart', 1_000n, 1_010n, 1_005n],
    ['the other way round', 1_010n, 1_000n, 1_005n],
    ['apart by an odd number, rounded down', 1_000n, 1_001n, 1_000n],
    ['as far apart as they may be', 1_000n, 1_020n, 1_010n],
  ])('the price of two sources that are %s is half-way', (_name, a, b, price) => {
    expect(combine(['A', a, 5], ['B', b, 20])).toMatchObject({
      priceE18: price,
      names: ['A', 'B'],
      time: new Date(NOW.getTime() - 20_000),
    })
  })

  test.each([
    ['up', 1_000n, 1_021n],
    ['down', 1_021n, 1_000n],
    ['by so much', 1_000n, 10n ** 30n],
  ])('two sources too far apart, %s, give no price and no outlier', (_name, a, b) => {
    const { sources, ...given } = combine(['A', a], ['B', b])
    expect(given).toEqual({ priceE18: undefined, reason: 'disagreement' })
    expect(sources.map(({ outlier }) => outlier)).toEqual([false, false])
  })

  test.each([
    ['that agree', [1_000n, 1_004n, 1_010n], 1_004n, []],
    ['one of which is far above', [1_000n, 1_004n, 5_000n], 1_004n, ['C']],
    ['one of which is far below', [1n, 1_004n, 1_000n], 1_000n, ['A']],
  ])('the price of three sources, %s, is the median, with outliers listed', (_name, prices, price, outliers) => {
    const combined = combine(...prices.map((each, index): [string, bigint] => ['ABC'[index] as string, each]))
    expect(combined.priceE18).toBe(price)
    expect(combined.sources.filter(({ outlier }) => outlier).map(({ name }) => name)).toEqual(outliers)
    expect('names' in combined && combined.names).toEqual(['A', 'B', 'C'].filter((each) => !outliers.includes(each)))
  })

  test.each([
    ['three that all say something else', [100n, 200n, 300n]],
    ['four of which two say one thing and two another', [100n, 100n, 200n, 200n]],
  ])('a price of %s does not exist', (_name, prices) => {
    const combined = combine(...prices.map((each, index): [string, bigint] => [String(index), each]))
    expect(combined).toMatchObject({ priceE18: undefined, reason: 'disagreement' })
  })

  test('the time of the price ignores outliers', () => {
    expect(combine(['A', 1_000n, 5], ['B', 1_000n, 7], ['C', 9_000n, 50])).toMatchObject({
      time: new Date(NOW.getTime() - 7_000),
    })
  })
})

describe('a source that is too old', () => {
  test('a reading counts until it is exactly one minute old', () => {
    expect(combine(['A', 1_000n, 60], ['B', 2_000n])).toMatchObject({ reason: 'disagreement' })
    expect(combine(['A', 1_000n, 60.001], ['B', 2_000n])).toMatchObject({ priceE18: 2_000n, names: ['B'] })
  })

  test('an old reading is listed as stale with its price', () => {
    const { sources } = combine(['A', 1_000n, 61], ['B', 2_000n])
    expect(sources).toMatchObject([
      { name: 'A', priceE18: 1_000n, stale: true },
      { name: 'B', priceE18: 2_000n, stale: false },
    ])
  })

  test('an old reading alone gives no price', () => {
    expect(combine(['A', 1_000n, 61], ['B', 1_000n, 3_600])).toMatchObject({ priceE18: undefined, reason: 'stale' })
    expect(combine()).toEqual({ sources: [], priceE18: undefined, reason: 'stale' })
  })
})

const anyReading = fc.record({
  name: fc.string(),
  priceE18: fc.bigInt({ min: 1n, max: 10n ** 30n }),
  time: fc.integer({ min: 0, max: 120_000 }).map((ageMs) => new Date(NOW.getTime() - ageMs)),
})

test('a single source never moves the price past another fresh reading', () => {
  fc.assert(
    fc.property(fc.array(anyReading, { minLength: 2, maxLength: 6 }), anyReading, (others, liar) => {
      const fresh = others.filter(({ time }) => NOW.getTime() - time.getTime() <= RULES.staleAfterMs)
      fc.pre(fresh.length >= 2)
      const { priceE18 } = combineReadings([...others, { ...liar, time: NOW }], NOW, RULES)
      if (priceE18 === undefined) return
      const prices = fresh.map((each) => each.priceE18)
      expect(prices.some((each) => each <= priceE18) && prices.some((each) => each >= priceE18)).toBe(true)
    }),
  )
})

test('the order of the sources does not change the price', () => {
  fc.assert(
    fc.property(fc.array(anyReading, { maxLength: 6 }), (given) => {
      const [forth, back] = [combineReadings(given, NOW, RULES), combineReadings(given.toReversed(), NOW, RULES)]
      expect(back.priceE18).toBe(forth.priceE18)
      expect(back.sources.toReversed()).toEqual(forth.sources)
    }),
  )
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bandAround, deviationBps, isCalm, isMoveAllowed, judgePool } from './pool-breaker.ts'

const E18 = 10n ** 18n
const at = (price: bigint) => ({ lowestE18: price, highestE18: price })

describe('the band', () => {
  test('spans a tenth below to a tenth above the spot price', () => {
    expect(bandAround(at(620n * E18), 1_000n)).toEqual({ lowE18: 558n * E18, highE18: 682n * E18 })
  })

  test('rounds the band inwards, never wider than the limit', () => {
    // 7 × 0.9 = 6.3 and 7 × 1.1 = 7.7.
    expect(bandAround(at(7n), 1_000n)).toEqual({ lowE18: 7n, highE18: 7n })
  })

  test('measures the hourly band from the farthest price', () => {
    const hour = { lowestE18: 100n * E18, highestE18: 120n * E18 }
    expect(bandAround(hour, 3_000n)).toEqual({ lowE18: 84n * E18, highE18: 130n * E18 })
  })

  test('contains exactly the prices within the limit', () => {
    const prices = fc.bigInt({ min: 1n, max: 10n ** 24n })
    fc.assert(
      fc.property(prices, prices, prices, fc.bigInt({ min: 1n, max: 9_999n }), (one, other, price, limit) => {
        const range = one < other ? { lowestE18: one, highestE18: other } : { lowestE18: other, highestE18: one }
        const { lowE18, highE18 } = bandAround(range, limit)
        expect(price >= lowE18 && price <= highE18).toBe(deviationBps(price, range) <= limit)
      }),
    )
  })
})

test.each([
  [620n, at(620n), 0n],
  [682n, at(620n), 1_000n],
  [558n, at(620n), 1_000n],
  // 62.1 ÷ 620 = 10.016 %: rounded up, so it exceeds ten.
  [6_821n, at(6_200n), 1_002n],
  [130n, { lowestE18: 100n, highestE18: 140n }, 3_000n],
  [100n, { lowestE18: 100n, highestE18: 140n }, 2_858n],
])('a price of %i against %o is %i basis points off', (price, range, expected) => {
  expect(deviationBps(price, range)).toBe(expected)
})

describe('a swap', () => {
  const band = { lowE18: 90n, highE18: 110n }
  test.each([
    ['inside', 100n, 105n, true],
    ['to either end', 100n, 110n, true],
    ['beyond an end', 100n, 111n, false],
    ['from beyond an end farther away', 115n, 116n, false],
    ['from beyond an end nearer to it, though not inside yet', 120n, 115n, true],
    ['from beyond an end back inside', 120n, 100n, true],
    ['from beyond one end to beyond the other', 112n, 89n, false],
    ['from beyond the other end to beyond the one', 89n, 112n, false],
    ['that moves a pool beyond an end by nothing', 112n, 112n, false],
    ['to nothing', 100n, 0n, false],
  ])('%s: %i to %i is allowed: %s', (_where, before, afterE18, allowed) => {
    expect(isMoveAllowed({ priceBefore: () => before, afterE18, band })).toBe(allowed)
  })

  test('may only move toward an empty band, from either side', () => {
    const empty = { lowE18: 110n, highE18: 90n }
    const allowed = (before: bigint, afterE18: bigint) =>
      isMoveAllowed({ priceBefore: () => before, afterE18, band: empty })
    expect([allowed(80n, 85n), allowed(85n, 80n), allowed(120n, 115n), allowed(115n, 120n)]).toEqual([
      true,
      false,
      true,
      false,
    ])
  })

  test('a swap that ends inside the band skips the price before', () => {
    const priceBefore = () => {
      throw new Error('asked')
    }
    expect(isMoveAllowed({ priceBefore, afterE18: 100n, band })).toBe(true)
  })
})

describe('the rule', () => {
  const rules = { limitBps: 1_000n, calmMs: 300_000 }
  const pool = { suspendedBy: undefined, isWatched: true, deviation: 0n, calmForMs: 0 } as const
  const judge = (standing: Partial<Parameters<typeof judgePool>[0]>) => judgePool({ ...pool, ...standing }, rules)

  test('suspends a watched pool beyond the limit, not at the limit', () => {
    expect(judge({ deviation: 1_000n })).toBeUndefined()
    expect(judge({ deviation: 1_001n })).toBe('suspended')
  })

  test('watches a pool that the operator resumed once its price is calm', () => {
    expect(judge({ isWatched: false, deviation: 5_000n })).toBeUndefined()
    expect(judge({ isWatched: false, deviation: 500n })).toBeUndefined()
    expect(judge({ isWatched: false, deviation: 499n })).toBe('watched')
  })

  test('resumes its own suspension after the calm period', () => {
    const suspended = { suspendedBy: 'rule', deviation: 499n } as const
    expect(judge({ ...suspended, calmForMs: 299_999 })).toBeUndefined()
    expect(judge({ ...suspended, calmForMs: 300_000 })).toBe('resumed')
    expect(judge({ ...suspended, deviation: 500n, calmForMs: 300_000 })).toBeUndefined()
  })

  test('ignores pools suspended by the operator or without a fresh price', () => {
    expect(judge({ suspendedBy: 'operator', calmForMs: 1e9 })).toBeUndefined()
    for (const suspendedBy of [undefined, 'rule', 'operator'] as const) {
      expect(judge({ suspendedBy, deviation: undefined, calmForMs: 1e9 })).toBeUndefined()
    }
  })

  test('counts less than half the limit as calm', () => {
    expect([isCalm(499n, 1_000n), isCalm(500n, 1_000n)]).toEqual([true, false])
  })
})

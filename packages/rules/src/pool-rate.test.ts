import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { borrowRate } from './interest.ts'
import {
  advanceRate,
  currentRate,
  exponentOf,
  interestOver,
  NO_RATE,
  nextRateToNotify,
  type PoolRate,
  type RateCurve,
  rateToNotify,
  repriceRate,
} from './pool-rate.ts'

const E18 = 10n ** 18n
const USDT: RateCurve = {
  baseE18: 0n,
  kinkE18: 800_000_000_000_000_000n,
  slopeToKinkE18: 45_000_000_000_000_000n,
  slopeAboveKinkE18: 750_000_000_000_000_000n,
  hourlyStepBps: 1_000n,
}

const anyRate: fc.Arbitrary<PoolRate> = fc.record({
  belowE18: fc.bigInt({ min: 0n, max: E18 }),
  aboveE18: fc.bigInt({ min: 0n, max: 2n * E18 }),
  targetE18: fc.bigInt({ min: 0n, max: 2n * E18 }),
  speedE18: fc.bigInt({ min: 1n, max: E18 / 10_000n }),
})
const anySeconds = fc.bigInt({ min: 0n, max: 200_000n })

describe('repriceRate', () => {
  test('follows the curve below the kink, and aims above it', () => {
    const rate = repriceRate(NO_RATE, USDT, 900_000_000_000_000_000n)
    expect(rate).toEqual({
      belowE18: 45_000_000_000_000_000n,
      aboveE18: 0n,
      targetE18: 375_000_000_000_000_000n,
      // 75 % ÷ 36,000 seconds.
      speedE18: 20_833_333_333_333n,
    })
  })

  test('ends at the rate of the curve', () => {
    fc.assert(
      fc.property(anyRate, fc.bigInt({ min: 0n, max: E18 }), (rate, used) => {
        const settled = advanceRate(repriceRate(rate, USDT, used), 10n ** 7n)
        expect(currentRate(settled)).toBe(borrowRate(USDT, used))
      }),
    )
  })

  test('rejects a utilisation out of range', () => {
    expect(() => repriceRate(NO_RATE, USDT, -1n)).toThrow('utilisation must be 0 to 1')
    expect(() => repriceRate(NO_RATE, USDT, E18 + 1n)).toThrow('utilisation must be 0 to 1')
    for (const kinkE18 of [0n, E18])
      expect(() => repriceRate(NO_RATE, { ...USDT, kinkE18 }, 0n)).toThrow('the kink must be between 0 and 1')
  })
})

test('the part above the kink moves a tenth an hour', () => {
  const full = repriceRate(NO_RATE, USDT, E18)
  expect(advanceRate(full, 3_600n).aboveE18).toBe(74_999_999_999_998_800n)
  expect(advanceRate(full, 36_001n).aboveE18).toBe(750_000_000_000_000_000n)
  const calm = repriceRate(advanceRate(full, 36_001n), USDT, 0n)
  expect(currentRate(advanceRate(calm, 3_600n))).toBe(675_000_000_000_001_200n)
})

describe('exponentOf', () => {
  test('of a constant rate for a year is the rate', () => {
    expect(exponentOf({ ...NO_RATE, belowE18: 45_000_000_000_000_000n }, 31_536_000n)).toBe(45n * 10n ** 33n)
  })

  test('is the same in one step and in two', () => {
    fc.assert(
      fc.property(anyRate, anySeconds, anySeconds, (rate, a, b) => {
        const once = exponentOf(rate, a + b)
        const twice = exponentOf(rate, a) + exponentOf(advanceRate(rate, a), b)
        expect(twice - once).toBeGreaterThanOrEqual(0n)
        expect(twice - once).toBeLessThanOrEqual(1n)
      }),
      { numRuns: 2_000 },
    )
  })

  /** Source: the sum over thousandths of a second of the ramp, by its definition. */
  test('lies between the sums by the rates before and after each second', () => {
    const rate = { belowE18: 7n, aboveE18: 100n * 10n ** 15n, targetE18: 900n * 10n ** 15n, speedE18: 3n * 10n ** 15n }
    let [low, high] = [0n, 0n]
    for (let second = 0n; second < 400n; second++) {
      low += currentRate(advanceRate(rate, second))
      high += currentRate(advanceRate(rate, second + 1n))
    }
    const atE36 = (sum: bigint) => (sum * E18) / 31_536_000n
    expect(exponentOf(rate, 400n)).toBeGreaterThan(atE36(low))
    expect(exponentOf(rate, 400n)).toBeLessThan(atE36(high))
  })
})

test('interest over a year is compounded continuously and rounded up', () => {
  // Source: Python's decimal at 80 digits: e^0.045 - 1 = 0.046027859908716942713…
  expect(interestOver(1_000n * E18, 45_000_000_000_000_000n, 31_536_000n)).toBe(46_027_859_908_716_942_714n)
  expect(interestOver(1_000n * E18, 0n, 31_536_000n)).toBe(0n)
})

test('a borrower is notified at each doubling of the opening rate', () => {
  expect(rateToNotify(30n, 10n)).toBe(60n)
  expect(rateToNotify(1n, 10n)).toBe(10n)
  expect(nextRateToNotify(60n, 59n)).toBe(60n)
  expect(nextRateToNotify(60n, 60n)).toBe(120n)
  expect(nextRateToNotify(60n, 500n)).toBe(960n)
  expect(() => nextRateToNotify(0n, 5n)).toThrow(RangeError)
})

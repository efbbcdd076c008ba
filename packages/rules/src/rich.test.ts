import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CollectedDay, earningCandles } from './rich-earnings.ts'
import { earnedBy, planRelease, shareAfterChange } from './rich-release.ts'
import { depositProgress, highestStarFor, requiredDeposit, starWeight } from './rich-star.ts'

const E18 = 10n ** 18n
const FIRST = 100n * E18

describe('a star level', () => {
  // By hand: 100 × 2^(n − 1).
  test.each([
    [1, 100n],
    [2, 200n],
    [3, 400n],
    [5, 1_600n],
    [9, 25_600n],
  ])('%i needs a deposit of %s RT', (star, rt) => {
    expect(requiredDeposit(star, FIRST)).toBe(rt * E18)
    expect(highestStarFor(rt * E18, FIRST)).toBe(star)
    expect(highestStarFor(rt * E18 - 1n, FIRST)).toBe(star - 1)
  })

  test.each([-1, 10, 0.5])('is never %s', (star) => {
    expect(() => starWeight(star)).toThrow(RangeError)
  })

  test.each([
    [0, 0n, { next: 1, missing: FIRST, progressE18: 0n }],
    [0, FIRST / 3n, { next: 1, progressE18: (E18 - 1n) / 3n }],
    [1, 150n * E18, { next: 2, missing: 50n * E18, progressE18: (E18 * 3n) / 4n }],
    [1, 500n * E18, { next: 2, missing: 0n, progressE18: E18 }],
    [9, 0n, { next: undefined, required: undefined, missing: 0n, progressE18: E18 }],
  ])('%i with a deposit of %s shows its progress', (star, deposit, expected) => {
    expect(depositProgress(star, deposit, FIRST)).toMatchObject(expected)
  })
})

describe('a release', () => {
  // By hand: 30,000,000 × 0.05 % = 15,000 RT.
  test.each([
    [30_000_000n * E18, 1n, 15_000n * E18, 15_000n * E18],
    [30_000_000n * E18, 7n, (15_000n * E18) / 7n, 15_000n * E18 - ((15_000n * E18) % 7n)],
    [30_000_000n * E18, 0n, 0n, 0n],
    [1_999n, 1n, 0n, 0n],
    [2_000n, 1n, 1n, 1n],
    [10_000n, 6n, 0n, 0n],
    [0n, 5n, 0n, 0n],
  ])('of %s for a weight of %s pays %s', (remaining, weight, perWeight, released) => {
    expect(planRelease({ remaining, weight, releaseBps: 5n })).toEqual({ perWeight, released })
  })

  test('pays all accounts together exactly, never more than the programme has', () => {
    const stars = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 40 })
    fc.assert(
      fc.property(
        stars,
        fc.bigInt({ min: 0n, max: 10n ** 26n }),
        fc.bigInt({ min: 0n, max: 10_000n }),
        (all, remaining, bps) => {
          const weight = all.reduce((sum, star) => sum + starWeight(star), 0n)
          const { perWeight, released } = planRelease({ remaining, weight, releaseBps: bps })
          const shares = all.map((star) => earnedBy({ star, settledIndex: 7n, toCollect: 0n }, 7n + perWeight))
          expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(released)
          expect(released <= (remaining * bps) / 10_000n).toBe(true)
          // The rest is less than a unit for each unit of weight.
          if (weight > 0n) expect((remaining * bps) / 10_000n - released < weight).toBe(true)
        },
      ),
    )
  })
})

describe('a share after a change of the star level', () => {
  const RELEASE = 15_000n * E18
  // By hand: the new weight of the account, of the other weights and its own.
  test.each([
    [0, 1, 0n, RELEASE],
    [0, 9, 0n, RELEASE - (RELEASE % 256n)],
    [0, 3, 6n, (RELEASE / 10n) * 4n],
    [2, 3, 6n, (RELEASE / 8n) * 4n],
    [3, 3, 6n, (RELEASE / 6n) * 4n],
    [3, 0, 6n, 0n],
    // The programme was read before the account had its star.
    [9, 1, 2n, RELEASE],
  ])('from %i to %i at weight %s is %s', (from, to, weight, share) => {
    expect(shareAfterChange({ remaining: 30_000_000n * E18, releaseBps: 5n, weight }, { from, to })).toBe(share)
  })
})

describe('the earning chart', () => {
  const days: CollectedDay[] = [
    { day: '2026-11-20', units: 5n },
    { day: '2026-11-22', units: 9n },
    { day: '2026-11-24', units: 2n },
  ]
  const draw = (interval: '1d' | '1w' | '1M', limit = 100, today = '2026-11-25' as const) =>
    earningCandles({ days, firstDay: '2026-11-20', today, interval, limit }).map(
      ({ day, open, high, low, close, volume }) => [day, ...[open, high, low, close, volume].map(Number)],
    )

  test('shows each day from the first to today', () => {
    expect(draw('1d')).toEqual([
      ['2026-11-20', 0, 5, 0, 5, 5],
      ['2026-11-21', 5, 5, 0, 0, 0],
      ['2026-11-22', 0, 9, 0, 9, 9],
      ['2026-11-23', 9, 9, 0, 0, 0],
      ['2026-11-24', 0, 2, 0, 2, 2],
      ['2026-11-25', 2, 2, 0, 0, 0],
    ])
    expect(draw('1d', 2)).toEqual([
      ['2026-11-24', 0, 2, 0, 2, 2],
      ['2026-11-25', 2, 2, 0, 0, 0],
    ])
  })

  test('groups days by weeks from Monday and by months', () => {
    expect(draw('1w')).toEqual([
      ['2026-11-16', 0, 9, 0, 9, 14],
      ['2026-11-23', 9, 9, 0, 0, 2],
    ])
    expect(draw('1M', 100, '2026-11-25')).toEqual([['2026-11-01', 0, 9, 0, 0, 16]])
  })

  test('is empty before the first collection', () => {
    const empty = { days: [], firstDay: undefined, today: '2026-11-25', interval: '1w', limit: 5 } as const
    expect(earningCandles(empty)).toEqual([])
  })
})

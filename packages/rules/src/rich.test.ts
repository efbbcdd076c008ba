import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CollectedDay, earningCandles } from './rich-earnings.ts'
import { earnedBy, planRelease, shareAfterChange, weightBelowSharing } from './rich-release.ts'
import { depositProgress, highestStarFor, requiredDeposit, spareDeposit, starWeight } from './rich-star.ts'

const E18 = 10n ** 18n
const FIRST = 100n * E18
const TERMS = { remaining: 30_000_000n * E18, releaseBps: 5n, maxPerWeight: E18 / 10n }

describe('a star level', () => {
  // By hand: 100 × 2^(n − 1).
  test.each([
    [1, 100n],
    [2, 200n],
    [3, 400n],
    [5, 1_600n],
    [9, 25_600n],
  ])('%i needs a deposit of %s RT', { tags: ['§6.06'] }, (star, rt) => {
    expect(requiredDeposit(star, FIRST)).toBe(rt * E18)
    expect(highestStarFor(rt * E18, FIRST)).toBe(star)
    expect(highestStarFor(rt * E18 - 1n, FIRST)).toBe(star - 1)
    expect(spareDeposit(star, rt * E18, FIRST)).toBe(0n)
    expect(spareDeposit(star - 1, rt * E18, FIRST)).toBe(star === 1 ? FIRST : (rt * E18) / 2n)
  })

  test.each([-1, 10, 0.5])('is never %s', (star) => {
    expect(() => starWeight(star)).toThrow('is not a star level from 0 to 9')
  })

  test('needs a deposit from 1 on, and is 9 at most', () => {
    expect(() => requiredDeposit(0, FIRST)).toThrow('0 is not a star level from 1 to 9')
    expect(highestStarFor(10n ** 30n, FIRST)).toBe(9)
    expect(highestStarFor(0n, FIRST)).toBe(0)
  })

  test('has no spare deposit where the deposit is too small', () => {
    expect(spareDeposit(2, 199n * E18, FIRST)).toBe(0n)
    expect(spareDeposit(2, 201n * E18, FIRST)).toBe(E18)
    expect(spareDeposit(0, 5n, FIRST)).toBe(5n)
  })

  test.each([
    [0, 0n, { next: 1, missing: FIRST, progressE18: 0n }],
    [0, FIRST / 3n, { next: 1, progressE18: (E18 - 1n) / 3n }],
    [1, 150n * E18, { next: 2, missing: 50n * E18, progressE18: (E18 * 3n) / 4n }],
    [1, 500n * E18, { next: 2, required: 200n * E18, missing: 0n, progressE18: E18 }],
    [8, 25_600n * E18, { next: 9, missing: 0n, progressE18: E18 }],
    [9, 0n, { next: undefined, required: undefined, missing: 0n, progressE18: E18 }],
  ])('%i with a deposit of %s shows its progress', (star, deposit, expected) => {
    expect(depositProgress(star, deposit, FIRST)).toMatchObject(expected)
  })
})

describe('a release', () => {
  // By hand: 30,000,000 × 0.05 % = 15,000 RT for 150,000 units of weight, so 0.1 RT each up to there.
  test.each([
    [30_000_000n * E18, 1n, E18 / 10n],
    [30_000_000n * E18, 7n, E18 / 10n],
    [30_000_000n * E18, 150_000n, E18 / 10n],
    [30_000_000n * E18, 150_001n, (15_000n * E18) / 150_001n],
    [30_000_000n * E18, 300_000n, E18 / 20n],
    [30_000_000n * E18, 0n, 0n],
    [1_999n, 1n, 0n],
    [2_000n, 1n, 1n],
    [10_000n, 6n, 0n],
    [0n, 5n, 0n],
  ])('of %s for a weight of %s pays %s for each unit', (remaining, weight, perWeight) => {
    expect(planRelease({ ...TERMS, remaining, weight })).toEqual({ perWeight, released: perWeight * weight })
  })

  /**
   * @attack S04 With 25 USDT the first holder of a star took 15,000 RT a day, and 4,471 USDT out of the pool in three days.
   * @holds A unit of star weight earns at most 0.1 RT a day, and its share does not grow when others have no star.
   */
  test('pays a lone star as much as one among many', () => {
    const lone = planRelease({ ...TERMS, weight: starWeight(1) })
    expect(lone.released).toBe(E18 / 10n)
    const many = planRelease({ ...TERMS, weight: starWeight(1) + 149_999n })
    expect(many.perWeight).toBe(lone.perWeight)
  })

  test.each([
    [0n, 0n],
    [1n, 3n],
    [10_000n, 30_000n],
  ])('of %s bps pays %s units of 30,000', (releaseBps, released) => {
    const terms = { remaining: 30_000n, releaseBps, maxPerWeight: 10n ** 9n, weight: 1n }
    expect(planRelease(terms)).toEqual({ perWeight: released, released })
  })

  test('pays nothing at a bound of zero', () => {
    expect(planRelease({ ...TERMS, maxPerWeight: 0n, weight: 4n })).toEqual({ perWeight: 0n, released: 0n })
  })

  test.each([
    [{ remaining: -1n }, 'planRelease: balance, weight and bound must not be negative'],
    [{ weight: -1n }, 'planRelease: balance, weight and bound must not be negative'],
    [{ maxPerWeight: -1n }, 'planRelease: balance, weight and bound must not be negative'],
    [{ releaseBps: -1n }, 'a part must be from 0 to 10000'],
    [{ releaseBps: 10_001n }, 'a part must be from 0 to 10000'],
  ])('does not exist with %o', (change, message) => {
    expect(() => planRelease({ ...TERMS, weight: 1n, ...change })).toThrow(message)
  })

  test('says up to which weight no share depends on others', () => {
    expect(weightBelowSharing(TERMS)).toBe(150_000n)
    expect(weightBelowSharing({ ...TERMS, remaining: 29_000_000n * E18 })).toBe(145_000n)
    expect(weightBelowSharing({ ...TERMS, maxPerWeight: 0n })).toBeUndefined()
  })

  test('pays all accounts together exactly, never more than the programme has', () => {
    const stars = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 40 })
    fc.assert(
      fc.property(
        stars,
        fc.bigInt({ min: 0n, max: 10n ** 26n }),
        fc.bigInt({ min: 0n, max: 10_000n }),
        fc.bigInt({ min: 0n, max: 10n ** 24n }),
        (all, remaining, releaseBps, maxPerWeight) => {
          const weight = all.reduce((sum, star) => sum + starWeight(star), 0n)
          const { perWeight, released } = planRelease({ remaining, weight, releaseBps, maxPerWeight })
          const shares = all.map((star) => {
            const own = starWeight(star)
            return earnedBy(
              { weight: own, nextWeight: own, settledIndex: 7n, toCollect: 0n },
              { index: 7n + perWeight },
            )
          })
          expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(released)
          expect(perWeight <= maxPerWeight).toBe(true)
          expect(released <= (remaining * releaseBps) / 10_000n).toBe(true)
          // Below the bound, the rest is less than a unit for each unit of weight.
          if (weight > 0n && perWeight < maxPerWeight)
            expect((remaining * releaseBps) / 10_000n - released < weight).toBe(true)
        },
      ),
    )
  })
})

test.each([
  // By hand: 4 units of weight up to the rise at 100, then 8.
  [undefined, 90n, 5n + 4n * 80n],
  [undefined, 10n, 5n],
  [10n, 30n, 5n + 8n * 20n],
  [100n, 100n, 5n + 4n * 90n],
  [100n, 130n, 5n + 4n * 90n + 8n * 30n],
])('a rise at %s with the sum at %s has earned %s', (riseIndex, index, earned) => {
  const account = { weight: 4n, nextWeight: 8n, settledIndex: 10n, toCollect: 5n }
  expect(earnedBy(account, { index, riseIndex })).toBe(earned)
  expect(() => earnedBy(account, { index: 9n })).toThrow(RangeError)
  expect(() => earnedBy(account, { index: 20n, riseIndex: 9n })).toThrow(RangeError)
  expect(() => earnedBy(account, { index: 99n, riseIndex: 100n })).toThrow(RangeError)
})

describe('a share after a change of the star level', () => {
  const SHARED = 15_000n * E18
  // By hand: the new weight of the account, of the other weights and its own.
  test.each([
    [0, 1, 0n, E18 / 10n],
    [0, 9, 0n, (256n * E18) / 10n],
    [0, 3, 299_996n, SHARED / 75_000n],
    [2, 3, 299_998n, SHARED / 75_000n],
    [3, 3, 300_000n, SHARED / 75_000n],
    [3, 0, 6n, 0n],
    // The programme was read before the account had its star.
    [9, 1, 2n, E18 / 10n],
  ])('from %i to %i at weight %s is %s', (from, to, weight, share) => {
    expect(shareAfterChange({ ...TERMS, weight }, { from, to })).toBe(share)
  })
})

describe('the earning chart', () => {
  const days: CollectedDay[] = [
    { day: '2026-11-20', units: 5n },
    { day: '2026-11-22', units: 9n },
    { day: '2026-11-24', units: 2n },
  ]
  const draw = (interval: '1d' | '1w' | '1M', { limit = 100, from = '2026-11-01', today = '2026-11-25' } = {}) =>
    earningCandles({
      days: days.filter(({ day }) => day >= from),
      firstDay: '2026-11-20',
      collected: 16n,
      today: today as CollectedDay['day'],
      interval,
      limit,
    }).map(({ day, open, high, low, close, volume }) => [day, ...[open, high, low, close, volume].map(Number)])

  test('shows the running total of each day from the first to today', () => {
    expect(draw('1d')).toEqual([
      ['2026-11-20', 0, 5, 0, 5, 5],
      ['2026-11-21', 5, 5, 5, 5, 0],
      ['2026-11-22', 5, 14, 5, 14, 9],
      ['2026-11-23', 14, 14, 14, 14, 0],
      ['2026-11-24', 14, 16, 14, 16, 2],
      ['2026-11-25', 16, 16, 16, 16, 0],
    ])
    expect(draw('1d', { limit: 2, from: '2026-11-24' })).toEqual([
      ['2026-11-24', 14, 16, 14, 16, 2],
      ['2026-11-25', 16, 16, 16, 16, 0],
    ])
  })

  test('has one candle on the first day', () => {
    const first = { days: days.slice(0, 1), firstDay: '2026-11-20', collected: 5n, today: '2026-11-20' } as const
    for (const interval of ['1d', '1w', '1M'] as const)
      expect(earningCandles({ ...first, interval, limit: 30 })).toMatchObject([{ open: 0n, close: 5n }])
  })

  test('groups days by weeks from Monday and by months', () => {
    expect(draw('1w')).toEqual([
      ['2026-11-16', 0, 14, 0, 14, 14],
      ['2026-11-23', 14, 16, 14, 16, 2],
    ])
    expect(draw('1M', { today: '2027-01-31' })).toEqual([
      ['2026-11-01', 0, 16, 0, 16, 16],
      ['2026-12-01', 16, 16, 16, 16, 0],
      ['2027-01-01', 16, 16, 16, 16, 0],
    ])
  })

  test('is empty before the first collection', () => {
    const empty = {
      days: [],
      firstDay: undefined,
      collected: 0n,
      today: '2026-11-25',
      interval: '1w',
      limit: 5,
    } as const
    expect(earningCandles(empty)).toEqual([])
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  feeDaysOf,
  feeInUsdt,
  levelFactorBps,
  type MembershipLevel,
  powerOf,
  streakFactorBps,
  streakOn,
} from './box-power.ts'
import { DEFAULT_BOX_RULES as rules } from './box-rules.ts'
import { addDays, type HongKongDay } from './hong-kong-day.ts'
import { powerByDefinition } from './testing/box-day-by-definition.ts'

const E18 = 10n ** 18n

// Source: worked out by hand from the product rule "Blind box and node". Fees of 100 USDT.
test.each<[level: MembershipLevel, streak: number, draw: number, hundredths: bigint]>([
  [0, 0, 1, 10_000n],
  [0, 1, 1, 10_100n],
  [1, 0, 1, 10_200n],
  [2, 3, 1, 10_712n],
  [3, 9, 1, 11_554n],
  [3, 10, 1, 11_554n],
  [5, 0, 10, 110_000n],
  [5, 9, 1, 11_990n],
  [5, 10_000, 3, 35_970n],
])('level %i, %i days and ×%i have %s hundredths', (level, streak, draw, hundredths) => {
  expect(powerOf({ fees: 100n * E18, level, streak, draw }, rules)).toBe((hundredths * E18) / 100n)
})

test('the power follows its definition and rounds down once', () => {
  const box = fc.record({
    fees: fc.bigInt({ min: 0n, max: 10n ** 30n }),
    level: fc.constantFrom(0, 1, 2, 3, 4, 5),
    streak: fc.nat(40),
    draw: fc.constantFrom(1, 2, 3, 5, 10),
  })
  fc.assert(
    fc.property(box, (each) => {
      expect(powerOf({ ...each, level: each.level as MembershipLevel }, rules)).toBe(powerByDefinition(each))
    }),
  )
})

test('a box without fees has no power', () => {
  expect(powerOf({ fees: 0n, level: 5, streak: 9, draw: 10 }, rules)).toBe(0n)
})

test('fees count for the 30 days before the day', () => {
  const days = feeDaysOf('2026-11-22', rules)
  expect([days.length, days[0], days.at(-1)]).toEqual([30, '2026-10-23', '2026-11-21'])
})

// Source: worked out by hand. Of 2 BNB sold for 1,240 USDT, 0.0016 BNB is revenue: 0.992 USDT.
test.each([
  [1_600_000_000_000_000n, 2n * E18, 1_240n * E18, 992_000_000_000_000_000n],
  [8n * E18, 10_000n * E18, 10_000n * E18, 8n * E18],
  [1n, 3n, 2n, 0n],
  [0n, 0n, 0n, 0n],
])('revenue %s of %s for %s is %s', (revenue, sold, usdt, units) => {
  expect(feeInUsdt({ revenue, sold, usdt })).toBe(units)
})

// Source: worked out by hand. Of 2 BNB sold for 2,480 USDT while the market pays 620, 0.0016 BNB is revenue: 0.992 USDT, not 1.984.
/**
 * @attack A80 An operator with an RT pool of his own raised its price within the band, and sold RT to himself for box power.
 * @holds A fee counts at the market's price at most, and a fee in RT makes no power.
 */
test.each([
  ['above the market', 2_480n * E18, 620n * E18, 992_000_000_000_000_000n],
  ['below the market', 620n * E18, 620n * E18, 496_000_000_000_000_000n],
  ['of an asset without a market', 1_240n * E18, 0n, 0n],
])('a fee %s counts at the lower price', (_, usdt, marketE18, units) => {
  expect(feeInUsdt({ revenue: 1_600_000_000_000_000n, sold: 2n * E18, usdt, marketE18 })).toBe(units)
})

test.each([-1, 6, 0.5, Number.NaN])('rejects level %s', (level) => {
  expect(() => levelFactorBps(level as MembershipLevel, rules)).toThrow('is not a level from 0 to 5')
})

test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('rejects a streak of %s', (streak) => {
  expect(() => streakFactorBps(streak, rules)).toThrow('is not a streak')
})

describe('streakOn', () => {
  const today = '2026-11-22'
  test.each<[string, Parameters<typeof streakOn>[1], number]>([
    ['without a click before', undefined, 0],
    ['the day after a first click', { day: '2026-11-21', streak: 0 }, 1],
    ['the day after the eighth click in a row', { day: '2026-11-21', streak: 7 }, 8],
    ['after a missed day', { day: '2026-11-20', streak: 7 }, 0],
    ['after a year', { day: '2025-11-22', streak: 7 }, 0],
  ])('counts the days in a row %s', (_name, last, streak) => {
    expect(streakOn(today, last)).toBe(streak)
  })

  test.each<HongKongDay>(['2026-11-22', '2026-11-23'])('throws where the latest click is on %s', (day) => {
    expect(() => streakOn(today, { day, streak: 0 })).toThrow(RangeError)
  })

  test('counts the days since the last missed one', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }), (clicks) => {
        let last: Parameters<typeof streakOn>[1]
        clicks.forEach((hasClicked, index) => {
          if (!hasClicked) return
          const day = addDays('2026-12-01', index)
          const streak = streakOn(day, last)
          expect(streak).toBe(index - 1 - clicks.lastIndexOf(false, index))
          last = { day, streak }
        })
      }),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { levelTenths, type MembershipLevel, powerThousandths, streakHundredths, streakOn } from './box-power.ts'
import { addDays, type HongKongDay } from './hong-kong-day.ts'
import { powerByDefinition } from './testing/box-day-by-definition.ts'
import { Fraction } from './testing/fraction.ts'

// Source: worked out by hand from the product rule "Blind box and node".
test.each<[level: MembershipLevel, streak: number, draw: number, thousandths: bigint]>([
  [0, 0, 1, 1_000n],
  [0, 1, 1, 1_050n],
  [1, 0, 1, 1_200n],
  [2, 3, 1, 1_610n],
  [3, 19, 1, 3_120n],
  [3, 20, 1, 3_200n],
  [3, 21, 1, 3_200n],
  [5, 0, 10, 20_000n],
  [5, 20, 10, 40_000n],
  [5, 10_000, 3, 12_000n],
])('level %i after %i days with ×%i has %s thousandths', (level, streak, draw, thousandths) => {
  expect(powerThousandths({ level, streak, draw })).toBe(thousandths)
})

test('the power is exact for every level and streak', () => {
  for (const level of [0, 1, 2, 3, 4, 5] as const) {
    for (let streak = 0; streak < 30; streak += 1) {
      const exact = powerByDefinition(level, streak).times(new Fraction(1_000n))
      expect([powerThousandths({ level, streak, draw: 1 }), 1n]).toEqual([exact.top, exact.bottom])
    }
  }
})

test.each([-1, 6, 0.5, Number.NaN])('level %s is none', (level) => {
  expect(() => levelTenths(level as MembershipLevel)).toThrow(RangeError)
})

test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('a streak of %s is none', (streak) => {
  expect(() => streakHundredths(streak)).toThrow(RangeError)
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

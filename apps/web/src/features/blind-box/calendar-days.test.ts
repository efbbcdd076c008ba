import { expect, test } from 'vitest'
import { calendarOf, monthAfter } from './calendar-days.ts'

test('a month begins on its weekday and marks clicks, misses and today', () => {
  const { blanks, days } = calendarOf({
    month: '2026-11',
    today: '2026-11-23',
    first_day: '2026-11-20',
    days: [{ day: '2026-11-20' }, { day: '2026-11-22' }],
  })
  // 1 November 2026 is a Sunday, the last day of its week.
  expect(blanks).toBe(6)
  expect(days).toHaveLength(30)
  expect(days.slice(18, 24).map(({ state }) => state)).toEqual([
    'none',
    'clicked',
    'missed',
    'clicked',
    'today',
    'none',
  ])
})

test('a user without a click has missed nothing', () => {
  const { days } = calendarOf({ month: '2026-10', today: '2026-11-23', first_day: null, days: [] })
  expect(new Set(days.map(({ state }) => state))).toEqual(new Set(['none']))
})

test.each([
  ['2026-12', 1, '2027-01'],
  ['2027-01', -1, '2026-12'],
])('the month from %s by %i is %s', (month, by, next) => {
  expect(monthAfter(month, by)).toBe(next)
})

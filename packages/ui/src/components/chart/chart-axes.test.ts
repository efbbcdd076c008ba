import { afterEach, beforeEach, expect, test } from 'vitest'
import { showLocale } from '../../i18n/locale.ts'
import { formatAxisValue, formatMoment, formatTimeMark, timeWeight } from './chart-axes.ts'

const zone = process.env.TZ
beforeEach(() => {
  process.env.TZ = 'Asia/Hong_Kong'
})
afterEach(() => {
  process.env.TZ = zone
  showLocale('zh-HK')
})

// 00:30 on 10 March in Hong Kong, still the 9th in UTC.
const MOMENT = Date.UTC(2026, 2, 9, 16, 30) / 1000
const MONTH = 30 * 86_400
const YEAR = 365 * 86_400

test("marks show the user's day in the page's language", () => {
  showLocale('en')
  expect(formatTimeMark(MOMENT, 'day', MONTH)).toBe('10/03')
  expect(formatTimeMark(MOMENT, 'month', YEAR)).toBe('Mar')
  expect(formatTimeMark(MOMENT, 'year', YEAR)).toBe('2026')
  showLocale('zh-HK')
  expect(formatTimeMark(MOMENT, 'month', YEAR)).toBe('3月')
})

test('a chart of a month marks its first day by date', () => {
  showLocale('en')
  expect(formatTimeMark(MOMENT, 'month', MONTH)).toBe('10/03')
})

test('every mark within two days is a time of day', () => {
  expect(formatTimeMark(MOMENT, 'day', 86_400)).toBe('00:30')
})

test('formats a moment with date and time', () => {
  showLocale('en')
  expect(formatMoment(MOMENT)).toBe('10 Mar 2026 00:30')
  showLocale('zh-HK')
  expect(formatMoment(MOMENT)).toBe('2026年3月10日 00:30')
})

test('marks at the start of local years, months and days weigh most', () => {
  const hour = (utc: number) => Date.UTC(2026, 2, 9, utc) / 1000
  // Midnight in Hong Kong is 16:00 in UTC.
  expect(timeWeight(hour(16), hour(15))).toBe(50)
  expect(timeWeight(hour(25), hour(24))).toBe(31)
  expect(timeWeight(hour(4), hour(3))).toBe(33)
  expect(timeWeight(hour(5), hour(4))).toBe(30)
  expect(timeWeight(MOMENT, MOMENT - 60)).toBe(22)
  expect(timeWeight(MOMENT + 60, MOMENT)).toBe(20)
  expect(timeWeight(MOMENT + 1, MOMENT)).toBe(0)
  expect(timeWeight(Date.UTC(2026, 2, 31, 16) / 1000, Date.UTC(2026, 2, 31, 15) / 1000)).toBe(60)
  expect(timeWeight(Date.UTC(2026, 11, 31, 16) / 1000, Date.UTC(2026, 11, 31, 15) / 1000)).toBe(70)
})

test('formats a mark with groups and all decimals of its axis', () => {
  expect(formatAxisValue(12_345.5, 2)).toBe('12,345.50')
  expect(formatAxisValue(-0.5, 0)).toBe('-1')
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, boundsOfDay, daysBefore, type HongKongDay, hongKongDayOf, parseHongKongDay } from './hong-kong-day.ts'

const instant = fc.date({ min: new Date('1980-01-02'), max: new Date('2100-01-01'), noInvalidDate: true })

// Source: worked out by hand, the instants written with Hong Kong's offset.
test.each([
  ['2026-11-22T00:00:00+08:00', '2026-11-22'],
  ['2026-11-22T23:59:59.999+08:00', '2026-11-22'],
  ['2026-11-21T16:00:00Z', '2026-11-22'],
  ['2026-11-21T15:59:59.999Z', '2026-11-21'],
  ['2026-12-31T23:59:59.999+08:00', '2026-12-31'],
  ['2028-02-29T12:00:00+08:00', '2028-02-29'],
])('the day of %s is %s', (time, day) => {
  expect(hongKongDayOf(new Date(time))).toBe(day)
})

test.each<[HongKongDay, number, HongKongDay]>([
  ['2026-11-22', 1, '2026-11-23'],
  ['2026-12-31', 1, '2027-01-01'],
  ['2028-03-01', -1, '2028-02-29'],
  ['2027-03-01', -1, '2027-02-28'],
  ['2026-11-22', 0, '2026-11-22'],
])('%s and %i days are %s', (day, days, other) => {
  expect(addDays(day, days)).toBe(other)
})

test('the days before a day end with the one before it', () => {
  expect(daysBefore('2027-01-02', 3)).toEqual(['2026-12-30', '2026-12-31', '2027-01-01'])
})

test('each moment is within the bounds of its day, and days adjoin', () => {
  fc.assert(
    fc.property(instant, (time) => {
      const day = hongKongDayOf(time)
      const { opensAt, closesAt } = boundsOfDay(day)
      expect(opensAt <= time && time < closesAt).toBe(true)
      expect(boundsOfDay(addDays(day, 1)).opensAt).toEqual(closesAt)
      expect(parseHongKongDay(day)).toBe(day)
    }),
  )
})

test('days agree with the time zone database', () => {
  const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Hong_Kong', dateStyle: 'short' })
  fc.assert(
    fc.property(instant, (time) => {
      expect(hongKongDayOf(time)).toBe(calendar.format(time))
    }),
  )
})

test.each([
  '',
  '2026-11-31',
  '2027-02-29',
  '2026-1-02',
  '2026-11-22T00',
  '1979-12-31',
  ' 2026-11-22',
  '２０26-11-22',
  '+002026-11-22',
  '+010000-01-01',
])('%o is no day', (text) => {
  expect(parseHongKongDay(text)).toBeUndefined()
  expect(() => boundsOfDay(text as HongKongDay)).toThrow(RangeError)
})

test('1980 is the first year that has days', () => {
  const first = new Date('1980-01-01T00:00:00+08:00')
  expect(hongKongDayOf(first)).toBe('1980-01-01')
  expect(parseHongKongDay('1980-01-01')).toBe('1980-01-01')
  expect(() => hongKongDayOf(new Date(first.getTime() - 1))).toThrow('must be valid and after 1979')
})

test('hongKongDayOf throws for a time before 1980 or an invalid one', () => {
  expect(() => hongKongDayOf(new Date('1979-10-01'))).toThrow(RangeError)
  expect(() => hongKongDayOf(new Date('nonsense'))).toThrow(RangeError)
})

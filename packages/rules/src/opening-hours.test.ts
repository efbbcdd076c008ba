import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { coversOpening, type OpeningWindow, openingAt } from './opening-hours.ts'

const day = { opens: '09:30', closes: '17:00' }
const night = { opens: '22:00', closes: '02:00' }
const untilMidnight = { opens: '18:00', closes: '00:00' }

// Source: worked out by hand, the instants written with Hong Kong's offset.
describe('openingAt', () => {
  test.each<[string, string, OpeningWindow]>([
    ['at any time where it is always open', '2026-03-01T03:00:00+08:00', 'always'],
    ['at the minute it opens', '2026-03-01T09:30:00+08:00', day],
    ['in the last millisecond before it closes', '2026-03-01T16:59:59.999+08:00', day],
    ['before midnight in a window over midnight', '2026-03-01T23:59:59.999+08:00', night],
    ['at midnight in a window over midnight', '2026-03-02T00:00:00+08:00', night],
    ['after midnight in a window over midnight', '2026-03-02T01:59:59.999+08:00', night],
    ['in the last millisecond of a window up to midnight', '2026-03-01T23:59:59.999+08:00', untilMidnight],
    ['before 1970', '1969-07-20T12:00:00+08:00', day],
  ])('%s, it is open', (_name, now, window) => {
    expect(openingAt(new Date(now), window)).toEqual({ open: true })
  })

  test.each<[string, string, OpeningWindow, string]>([
    ['early in the morning', '2026-03-01T00:00:00+08:00', day, '2026-03-01T09:30:00+08:00'],
    ['a millisecond before it opens', '2026-03-01T09:29:59.999+08:00', day, '2026-03-01T09:30:00+08:00'],
    ['at the minute it closes', '2026-03-01T17:00:00+08:00', day, '2026-03-02T09:30:00+08:00'],
    ['in the evening', '2026-03-01T23:00:00+08:00', day, '2026-03-02T09:30:00+08:00'],
    ['after a window over midnight', '2026-03-02T02:00:00+08:00', night, '2026-03-02T22:00:00+08:00'],
    ['after a window up to midnight', '2026-03-02T00:00:00+08:00', untilMidnight, '2026-03-02T18:00:00+08:00'],
    ['at the end of a month', '2026-02-28T20:00:00+08:00', day, '2026-03-01T09:30:00+08:00'],
    ['at the end of a year', '2026-12-31T20:00:00+08:00', day, '2027-01-01T09:30:00+08:00'],
    ['on a leap day', '2028-02-29T20:00:00+08:00', day, '2028-03-01T09:30:00+08:00'],
    ['in a northern summer, without daylight saving', '2026-07-01T08:00:00+08:00', day, '2026-07-01T09:30:00+08:00'],
    ['where it is another day in UTC', '2026-03-02T06:00:00+08:00', day, '2026-03-02T09:30:00+08:00'],
  ])('%s, it is closed and names the next opening', (_name, now, window, opensAt) => {
    expect(openingAt(new Date(now), window)).toEqual({ open: false, opensAt: new Date(opensAt) })
  })

  test.each([
    [{ opens: '9:30', closes: '17:00' }],
    [{ opens: '109:30', closes: '17:00' }],
    [{ opens: '09:30', closes: '24:00' }],
    [{ opens: '09:60', closes: '17:00' }],
    [{ opens: '', closes: '17:00' }],
    [{ opens: '09:30:00', closes: '17:00' }],
    [{ opens: '09:30', closes: '09:30' }],
  ])('openingAt throws for the invalid window %o', (window) => {
    expect(() => openingAt(new Date('2026-03-01T00:00:00Z'), window)).toThrow(RangeError)
  })

  test('openingAt throws for an invalid time', () => {
    expect(() => openingAt(new Date('nonsense'), 'always')).toThrow(RangeError)
  })

  const minuteOfDay = fc.integer({ min: 0, max: 1439 })
  const text = (minute: number) => new Date(minute * 60_000).toISOString().slice(11, 16)
  const instant = fc.date({ min: new Date('1980-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })

  test('agrees with the time zone database for Hong Kong', () => {
    const wallClock = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Asia/Hong_Kong',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    fc.assert(
      fc.property(instant, minuteOfDay, minuteOfDay, (now, opens, closes) => {
        fc.pre(opens !== closes)
        const window = { opens: text(opens), closes: text(closes) }
        const wall = wallClock.format(now)
        const [from, to] = [window.opens, window.closes]
        const expected = from < to ? from <= wall && wall < to : from <= wall || wall < to
        expect(openingAt(now, window).open).toBe(expected)
      }),
    )
  })

  test('the next opening is within a day and closed a moment before', () => {
    fc.assert(
      fc.property(instant, minuteOfDay, minuteOfDay, (now, opens, closes) => {
        fc.pre(opens !== closes)
        const window = { opens: text(opens), closes: text(closes) }
        const response = openingAt(now, window)
        if (response.open) return
        const waitMs = response.opensAt.getTime() - now.getTime()
        expect(waitMs > 0 && waitMs < 24 * 3_600_000).toBe(true)
        expect(openingAt(response.opensAt, window)).toEqual({ open: true })
        expect(openingAt(new Date(response.opensAt.getTime() - 1), window).open).toBe(false)
      }),
    )
  })

  // By definition: the other window's every minute is one of this window's.
  test('covers another window exactly when it is open at its every minute', () => {
    const DAY = new Date('2030-01-01T00:00:00Z').getTime()
    const minutesOf = (window: OpeningWindow) =>
      Array.from({ length: 1_440 }, (_, minute) => openingAt(new Date(DAY + minute * 60_000), window).open)
    const windows = fc
      .tuple(minuteOfDay, minuteOfDay)
      .filter(([opens, closes]) => opens !== closes)
      .map(([opens, closes]): OpeningWindow => ({ opens: text(opens), closes: text(closes) }))
    const window = fc.oneof({ weight: 9, arbitrary: windows }, { weight: 1, arbitrary: fc.constant('always' as const) })
    fc.assert(
      fc.property(window, window, (one, other) => {
        const open = minutesOf(one)
        const expected = minutesOf(other).every((isOpen, minute) => !isOpen || open[minute])
        expect(coversOpening(one, other)).toBe(expected)
      }),
      {
        examples: [
          [day, day],
          [
            { opens: '09:00', closes: '08:59' },
            { opens: '08:00', closes: '09:00' },
          ],
        ],
      },
    )
  })
})

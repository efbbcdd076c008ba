import { DAY_MS } from './spans.ts'
/** A calendar day in Hong Kong, as `2026-11-22`. */
export type HongKongDay = `${number}-${number}-${number}`

/** Asia/Hong_Kong is UTC+8 without daylight saving (IANA tz database: since 28 October 1979). */
const HONG_KONG_OFFSET_MS = 8 * 3_600_000

/**
 * Returns the day that a clock in Hong Kong shows.
 *
 * @throws RangeError if the time is invalid or before 1980, when Hong Kong changed its clocks.
 */
export function hongKongDayOf(time: Date): HongKongDay {
  if (!isHongKongTime(time)) throw new RangeError('hongKongDayOf: the time must be valid and after 1979')
  const number = Math.floor((time.getTime() + HONG_KONG_OFFSET_MS) / DAY_MS)
  if (number !== lastDay.number)
    lastDay = { number, text: new Date(number * DAY_MS).toISOString().slice(0, 10) as HongKongDay }
  return lastDay.text
}

/** Nearly all calls ask for the day of the one before, and every swap asks twice. */
let lastDay: { readonly number: number; readonly text: HongKongDay } = { number: 0, text: '1970-01-01' }

/** Returns whether a time has a day in Hong Kong: it is valid, and after 1979. */
export function isHongKongTime(time: Date): boolean {
  return time.getTime() >= FIRST_MS
}

/** Returns the first moment of a day, and the first moment of the next. */
export function boundsOfDay(day: HongKongDay): { readonly opensAt: Date; readonly closesAt: Date } {
  const opensMs = startOf(day)
  return { opensAt: new Date(opensMs), closesAt: new Date(opensMs + DAY_MS) }
}

/** Returns the day `days` after a day, or before it if `days` is negative. */
export function addDays(day: HongKongDay, days: number): HongKongDay {
  return hongKongDayOf(new Date(startOf(day) + days * DAY_MS))
}

/** Returns the days before a day, the earliest first. */
export function daysBefore(day: HongKongDay, count: number): HongKongDay[] {
  const startMs = startOf(day)
  return Array.from({ length: count }, (_, index) => hongKongDayOf(new Date(startMs + (index - count) * DAY_MS)))
}

/** Returns a day from text, or `undefined` if the calendar has no such day: `2027-02-29`. */
export function parseHongKongDay(text: string): HongKongDay | undefined {
  const startMs = startMsOf(text)
  // A text of another form is no day's text, even where it is a time.
  return startMs >= FIRST_MS && hongKongDayOf(new Date(startMs)) === text ? (text as HongKongDay) : undefined
}

const FIRST_MS = Date.UTC(1980, 0, 1) - HONG_KONG_OFFSET_MS

/** @throws RangeError if the calendar has no such day. */
function startOf(day: HongKongDay): number {
  if (parseHongKongDay(day) === undefined) throw new RangeError(`${JSON.stringify(day)} is not a day like 2026-11-22`)
  return startMsOf(day)
}

/** `NaN` for a text that is no date. */
function startMsOf(text: string): number {
  return new Date(`${text}T00:00:00Z`).getTime() - HONG_KONG_OFFSET_MS
}

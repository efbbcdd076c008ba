import { addDays, boundsOfDay, type HongKongDay, hongKongDayOf, parseHongKongDay } from '@clearwell/rules/hong-kong-day'
import { formatDay } from '@clearwell/ui/i18n/format-date.ts'
import { m } from '../../generated/messages.ts'

/** Days and hours of plans. All of them are Hong Kong time, on every device. */

const HOUR_MS = 3_600_000

/** Every hour of a day. */
export const HOURS: readonly number[] = Array.from({ length: 24 }, (_, hour) => hour)

/** An hour of the day as its two ends: `09:00–10:00`. */
export function hourText(hour: number): string {
  const clock = (at: number) => `${String(at).padStart(2, '0')}:00`
  return `${clock(hour)}–${clock(hour + 1)}`
}

/** The hour of the day in which a moment is. */
function hourOf(iso: string): number {
  const at = new Date(iso)
  return Math.floor((at.getTime() - boundsOfDay(hongKongDayOf(at)).opensAt.getTime()) / HOUR_MS)
}

/** A run as day and hour: the moment within the hour is drawn by the server and not known to anyone. */
export function runText(iso: string): string {
  return m.plan_run_at({ day: formatDay(hongKongDayOf(new Date(iso))), hour: hourText(hourOf(iso)) })
}

/** The last day of a period that ends before a moment. */
export function lastDayText(endsAt: string): string {
  return formatDay(hongKongDayOf(new Date(Date.parse(endsAt) - 1)))
}

/** The first moment of a day, for the server. */
export function startOfDay(day: HongKongDay): string {
  return boundsOfDay(day).opensAt.toISOString()
}

/** The first moment after a day, for the server. */
export function endOfDay(day: HongKongDay): string {
  return boundsOfDay(day).closesAt.toISOString()
}

/** The day some days after that of a moment. */
export function dayAfter(now: Date, days: number): HongKongDay {
  return addDays(hongKongDayOf(now), days)
}

/** A day as a date field writes it; `undefined` while it is typed. */
export function typedDay(text: string): HongKongDay | undefined {
  return parseHongKongDay(text)
}

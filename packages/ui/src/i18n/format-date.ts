import { intlLocale } from './locale.ts'

/** A point in time, in the user's own zone; by 24 hours, as every time of day here. */
export function formatDateTime(iso: string): string {
  // Date and time apart: given both with 24 hours in Chinese, Intl writes another date.
  return `${formatDate(iso)} ${formatTimeOfDay(iso)}`
}

/** A point in time of this year, without the year: for columns. */
export function formatDayAndTime(iso: string): string {
  const day = dateFormat({ month: 'short', day: 'numeric' }).format(new Date(iso))
  return `${day} ${formatTimeOfDay(iso)}`
}

/** A day, in the user's own zone. */
export function formatDate(iso: string): string {
  return dateFormat({ dateStyle: 'medium' }).format(new Date(iso))
}

/**
 * A point in time in Hong Kong, by 24 hours: for what the operator does or announces (upgrades, changes of rules, freezes and other acts).
 * The text beside it says so. All that the user does has the time of the device.
 */
export function formatHongKongTime(iso: string): string {
  const zone = { timeZone: 'Asia/Hong_Kong' } as const
  const day = dateFormat({ dateStyle: 'medium', ...zone }).format(new Date(iso))
  return `${day} ${dateFormat({ timeStyle: 'short', hourCycle: 'h23', ...zone }).format(new Date(iso))}`
}

/** A calendar day such as `2026-11-22`, which is the same in every zone. */
export function formatDay(day: string): string {
  return dateFormat({ dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
}

/** The same without the year: for rows and columns. */
export function formatShortDay(day: string): string {
  return dateFormat({ month: 'short', day: 'numeric', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
}

/** The first letters of the days of a week, from Monday. */
export function weekdayNames(): string[] {
  const format = dateFormat({ weekday: 'narrow', timeZone: 'UTC' })
  // 2024-01-01 was a Monday.
  return Array.from({ length: 7 }, (_, index) => format.format(new Date(Date.UTC(2024, 0, 1 + index))))
}

/** A month such as `2026-11`. */
export function formatMonth(month: string): string {
  return dateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month}-01T00:00:00Z`))
}

/** A time of day, in the user's own zone. */
export function formatTimeOfDay(iso: string): string {
  return dateFormat({ timeStyle: 'short', hourCycle: 'h23' }).format(new Date(iso))
}

/** A time of day with seconds, for live events. */
export function formatTime(iso: string): string {
  return dateFormat({ timeStyle: 'medium', hourCycle: 'h23' }).format(new Date(iso))
}

const dateFormats = new Map<string, Intl.DateTimeFormat>()

/** Kept, because each new one costs a slow phone several milliseconds. */
function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const locale = intlLocale()
  const key = `${locale} ${JSON.stringify(options)}`
  const format = dateFormats.get(key) ?? new Intl.DateTimeFormat(locale, options)
  dateFormats.set(key, format)
  return format
}

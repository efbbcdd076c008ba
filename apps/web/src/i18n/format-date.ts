import { intlLocale } from './locale.ts'

/** A point in time, in the user's own zone; by 24 hours, as every time of day here. */
export function formatDateTime(iso: string): string {
  // Date and time apart: given both with 24 hours in Chinese, Intl writes another date.
  return `${formatDate(iso)} ${dateFormat({ timeStyle: 'short', hourCycle: 'h23' }).format(new Date(iso))}`
}

/** A point in time of this year, without the year: for columns. */
export function formatDayAndTime(iso: string): string {
  const day = dateFormat({ month: 'short', day: 'numeric' }).format(new Date(iso))
  return `${day} ${dateFormat({ timeStyle: 'short', hourCycle: 'h23' }).format(new Date(iso))}`
}

/** A day, in the user's own zone. */
export function formatDate(iso: string): string {
  return dateFormat({ dateStyle: 'medium' }).format(new Date(iso))
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

import { formatDateTime, intlLocale } from '../format.ts'

/** What a mark on the axis begins: a year, a month, a day, or a moment within one. */
export type TimeMark = 'year' | 'month' | 'day' | 'time'

const DAY_SECONDS = 86_400

/**
 * A mark on the axis of time, in the user's own zone and language.
 *
 * @param span seconds from the first to the last point: within two days every mark is a time of day.
 */
export function formatTimeMark(seconds: number, mark: TimeMark, span: number): string {
  return new Intl.DateTimeFormat(intlLocale(), optionsOf(span <= 2 * DAY_SECONDS ? 'time' : mark)).format(
    new Date(seconds * 1000),
  )
}

/** A moment in full, as the crosshair and the table name it: its date as everywhere, and its time of day. */
export function formatMoment(seconds: number): string {
  return formatDateTime(new Date(seconds * 1000).toISOString())
}

function optionsOf(mark: TimeMark): Intl.DateTimeFormatOptions {
  switch (mark) {
    case 'year':
      return { year: 'numeric' }
    case 'month':
      return { month: 'short' }
    case 'day':
      return { month: 'numeric', day: 'numeric' }
    case 'time':
      return { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
  }
}

import { formatDateTime } from '../../i18n/format-date.ts'
import { intlLocale } from '../../i18n/locale.ts'

/** A mark on the time axis starts a year, a month or a day, or is a time of day. */
export type TimeMark = 'year' | 'month' | 'day' | 'time'

const DAY_SECONDS = 86_400
/** Up to this many days, the first day of a month is a date like its neighbours, not the name of the month. */
const DATES_UP_TO_DAYS = 45

/**
 * A mark on the time axis, in the user's time zone and language.
 *
 * @param span seconds from the first to the last point: within two days every mark is a time of day, and in a chart of a month
 *   every mark of a day is a date.
 */
export function formatTimeMark(seconds: number, mark: TimeMark, span: number): string {
  return new Intl.DateTimeFormat(intlLocale(), optionsOf(markWithin(span, mark))).format(new Date(seconds * 1000))
}

function markWithin(span: number, mark: TimeMark): TimeMark {
  if (span <= 2 * DAY_SECONDS) return 'time'
  return span <= DATES_UP_TO_DAYS * DAY_SECONDS && mark !== 'time' ? 'day' : mark
}

/** The date and time of day of a moment, for crosshair and table. */
export function formatMoment(seconds: number): string {
  return formatDateTime(new Date(seconds * 1000).toISOString())
}

/** The weight of a moment on the time axis, in the chart library's scale: heavier moments get a mark first. */
const WEIGHTS = { year: 70, month: 60, day: 50 } as const
/** Intervals within a day, the largest first. */
const WEIGHTS_IN_DAY = [
  { minutes: 720, weight: 33 },
  { minutes: 360, weight: 32 },
  { minutes: 180, weight: 31 },
  { minutes: 60, weight: 30 },
  { minutes: 30, weight: 22 },
  { minutes: 5, weight: 21 },
  { minutes: 1, weight: 20 },
] as const

/**
 * The weight of a moment after the one before it, in the user's time zone: a day starts at their midnight. The chart
 * library would use midnight in UTC.
 */
export function timeWeight(seconds: number, beforeSeconds: number): number {
  const now = new Date(seconds * 1000)
  const before = new Date(beforeSeconds * 1000)
  if (now.getFullYear() !== before.getFullYear()) return WEIGHTS.year
  if (now.getMonth() !== before.getMonth()) return WEIGHTS.month
  if (now.getDate() !== before.getDate()) return WEIGHTS.day
  const slot = (date: Date, minutes: number) => Math.floor((date.getHours() * 60 + date.getMinutes()) / minutes)
  return WEIGHTS_IN_DAY.find(({ minutes }) => slot(now, minutes) !== slot(before, minutes))?.weight ?? 0
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

/** A mark on the value axis. Its number is a position on the screen, not money. */
export function formatAxisValue(value: number, decimals: number): string {
  return new Intl.NumberFormat(intlLocale(), {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(value)
}

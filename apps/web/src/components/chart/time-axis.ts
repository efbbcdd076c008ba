import { formatDateTime, intlLocale } from '../../i18n/format.ts'

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

/** How much a moment divides the axis of time: the more, the sooner it gets a mark. By the chart library's own scale. */
const WEIGHTS = { year: 70, month: 60, day: 50 } as const
/** Within a day, the largest first: hours in minutes. */
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
 * How much a moment divides the axis from the one before it, in the user's own zone: a day begins at their midnight, not
 * at that of UTC, which the chart library goes by.
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

import type { BoxCalendar } from './blind-box.queries.ts'

/** One day of a month; `missed` lies between the first click ever and today. */
export interface CalendarDay {
  readonly day: string
  /** Of the month, from 1. */
  readonly date: number
  readonly state: 'clicked' | 'missed' | 'today' | 'none'
}

/** Returns the days of a month in weeks from Monday: first so many blanks, then the days. */
export function calendarOf({
  month,
  today,
  first_day,
  days,
}: Omit<BoxCalendar, 'days'> & { days: readonly { day: string }[] }): {
  readonly blanks: number
  readonly days: readonly CalendarDay[]
} {
  const clicked = new Set(days.map(({ day }) => day))
  const [year = 0, number = 1] = month.split('-').map(Number)
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate()
  const weekday = new Date(Date.UTC(year, number - 1, 1)).getUTCDay()
  const stateOf = (day: string): CalendarDay['state'] => {
    if (clicked.has(day)) return 'clicked'
    if (day === today) return 'today'
    // Days are as long as each other, so the order of their texts is that of the days.
    return first_day !== null && day > first_day && day < today ? 'missed' : 'none'
  }
  return {
    blanks: (weekday + 6) % 7,
    days: Array.from({ length: count }, (_, index) => {
      const day = `${month}-${String(index + 1).padStart(2, '0')}`
      return { day, date: index + 1, state: stateOf(day) }
    }),
  }
}

/** The month `months` after a month, or before it. */
export function monthAfter(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7)
}

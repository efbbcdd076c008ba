import type { AssetId } from '@clearwell/money/asset'
import { type LogFilter, localDay } from './log-filter.ts'

/**
 * The filter as the calls take it, its days as moments.
 *
 * @param now what "today" is counted from; days begin at midnight in the user's own zone.
 */
export function logQuery(filter: LogFilter, now: Date): { asset?: AssetId; kind?: string; from?: string; to?: string } {
  const { asset, kind } = filter
  const { from, to } = momentsOf(filter, now)
  return {
    ...(asset ? { asset } : {}),
    ...(kind ? { kind } : {}),
    ...(from ? { from: from.toISOString() } : {}),
    ...(to ? { to: to.toISOString() } : {}),
  }
}

function momentsOf({ range, from, to }: LogFilter, now: Date): { from?: Date; to?: Date } {
  if (range === undefined) return {}
  switch (range) {
    case 'today':
      return { from: midnight(now, 0) }
    case '7d':
      return { from: midnight(now, -6) }
    case '30d':
      return { from: midnight(now, -29) }
    case 'own':
      return {
        ...(from ? { from: midnight(localDay(from), 0) } : {}),
        // The last day is included: up to where the day after it begins.
        ...(to ? { to: midnight(localDay(to), 1) } : {}),
      }
  }
}

/** Where a day begins, `days` after that of `moment`. By the calendar: a day is not always 24 hours long. */
function midnight(moment: Date, days: number): Date {
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate() + days)
}

import type { EntryKind } from '@clearwell/api/parts'
import { type AssetId, isAssetId } from '@clearwell/money/asset'
import { isEntryKind } from './entry-names.ts'
import { type FoundEntries, findEntries, readFind } from './find-entries.ts'

/** The quick choices of a period. Each but `own` ends now; an address without one means `all`. */
export const LOG_RANGES = ['all', 'today', '7d', '30d', 'own'] as const
export type LogRange = (typeof LOG_RANGES)[number]

/** The filter of the balance log. The path carries it, so that a reload and Back keep it. */
export interface LogFilter {
  readonly asset?: AssetId
  readonly kind?: EntryKind
  readonly range?: Exclude<LogRange, 'all'>
  /** First and last day of `own`, both included, as `YYYY-MM-DD` in the user's time zone. Either may be open. */
  readonly from?: string
  readonly to?: string
  /** The typed search. */
  readonly find?: string
}

/** `undefined` removes a part; `all` removes the range. */
export interface LogFilterChange {
  readonly asset?: AssetId | undefined
  readonly kind?: string | undefined
  readonly range?: LogRange
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly find?: string
}

/** Reads the filter from the path's query. Invalid parts are left out; days in the wrong order are swapped. */
export function readLogFilter({ asset, kind, range, from, to, find }: Record<string, unknown>): LogFilter {
  return {
    ...(isAssetId(asset) ? { asset } : {}),
    ...(isEntryKind(kind) ? { kind } : {}),
    ...readFind(find),
    ...readRange(range, isDay(from) ? from : undefined, isDay(to) ? to : undefined),
  }
}

/** The filter with a change. */
export function changeLogFilter(filter: LogFilter, change: LogFilterChange): LogFilter {
  return readLogFilter({ ...filter, ...change })
}

export function isNarrowed(filter: LogFilter): boolean {
  return Object.keys(filter).length > 0
}

/** A moment's day in the user's time zone, as a date input writes it. */
export function dayOf(moment: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  const year = String(moment.getFullYear()).padStart(4, '0')
  return `${year}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`
}

interface LogQuery extends FoundEntries {
  kind?: EntryKind
  from?: string
  to?: string
}

/**
 * The filter as the payload of a call, with its days as moments.
 *
 * @param now the moment that "today" counts from; days start at midnight in the user's time zone.
 * @returns `undefined` if no entry can match.
 */
export function logQuery(filter: LogFilter, now: Date): LogQuery | undefined {
  const { asset, kind, find = '' } = filter
  const { from, to } = momentsOf(filter, now)
  const found = findEntries(find)
  if (found === undefined || (asset && found.asset && asset !== found.asset)) return undefined
  return {
    ...found,
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
        // The last day is included: the range ends where the next day starts.
        ...(to ? { to: midnight(localDay(to), 1) } : {}),
      }
  }
}

/** The start of the day `days` after that of `moment`. By the calendar: a day is not always 24 hours long. */
function midnight(moment: Date, days: number): Date {
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate() + days)
}

function readRange(range: unknown, from: string | undefined, to: string | undefined): LogFilter {
  if (range === 'today' || range === '7d' || range === '30d') return { range }
  if (range !== 'own') return {}
  const [first, last] = from !== undefined && to !== undefined && from > to ? [to, from] : [from, to]
  return { range, ...(first ? { from: first } : {}), ...(last ? { to: last } : {}) }
}

/** The start of a day in the user's time zone. */
function localDay(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date)
}

/** Accepts a day as `YYYY-MM-DD` from 1970 to 9998, so that the server also accepts the next day. */
export function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^(19[789]\d|[2-9]\d{3})-\d\d-\d\d$/.test(value) || value >= '9999') return false
  return value > '1970-01-01' && dayOf(localDay(value)) === value
}

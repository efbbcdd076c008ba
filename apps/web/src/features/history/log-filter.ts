import { type AssetId, isAssetId } from '@clearwell/money/asset'

/** The quick choices of a time. Each but `own` ends now; `all` is what an address without one means. */
export const LOG_RANGES = ['all', 'today', '7d', '30d', 'own'] as const
export type LogRange = (typeof LOG_RANGES)[number]

/** What the balance log is narrowed to. The path carries it, so that reloading and going back find it again. */
export interface LogFilter {
  readonly asset?: AssetId
  readonly kind?: string
  readonly range?: Exclude<LogRange, 'all'>
  /** First and last day of `own`, both included, as `YYYY-MM-DD` in the user's own zone. Either may be open. */
  readonly from?: string
  readonly to?: string
}

/** `undefined` takes a part off; all time takes the range off. */
export interface LogFilterChange {
  readonly asset?: AssetId | undefined
  readonly kind?: string | undefined
  readonly range?: LogRange
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** Reads the filter out of the path's query. What is no filter is left out; days in the wrong order are put right. */
export function readLogFilter({ asset, kind, range, from, to }: Record<string, unknown>): LogFilter {
  return {
    ...(isAssetId(asset) ? { asset } : {}),
    ...(typeof kind === 'string' && /^[a-z_]{1,40}$/.test(kind) ? { kind } : {}),
    ...readRange(range, isDay(from) ? from : undefined, isDay(to) ? to : undefined),
  }
}

/** The filter with something of it changed. */
export function changeLogFilter(filter: LogFilter, change: LogFilterChange): LogFilter {
  return readLogFilter({ ...filter, ...change })
}

export function isNarrowed(filter: LogFilter): boolean {
  return Object.keys(filter).length > 0
}

/** A moment's day in the user's own zone, as a date input writes it. */
export function dayOf(moment: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  const year = String(moment.getFullYear()).padStart(4, '0')
  return `${year}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`
}

function readRange(range: unknown, from: string | undefined, to: string | undefined): LogFilter {
  if (range === 'today' || range === '7d' || range === '30d') return { range }
  if (range !== 'own') return {}
  const [first, last] = from !== undefined && to !== undefined && from > to ? [to, from] : [from, to]
  return { range, ...(first ? { from: first } : {}), ...(last ? { to: last } : {}) }
}

/** Where a day begins in the user's own zone. */
export function localDay(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date)
}

/** Whether it is a day as `YYYY-MM-DD`, from 1970 to 9998: what the server takes for a moment, and the day after it. */
export function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^(19[789]\d|[2-9]\d{3})-\d\d-\d\d$/.test(value) || value >= '9999') return false
  return value > '1970-01-01' && dayOf(localDay(value)) === value
}

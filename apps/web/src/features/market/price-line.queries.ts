import type { Candle } from '@clearwell/ui/components/chart/candles.ts'
import type { ChartPoint } from '@clearwell/ui/components/chart/chart-points.ts'
import { useQuery } from '@tanstack/react-query'
import { type CandleInterval, type CandleSource, fetchCandles } from './candles.queries.ts'
import type { ChartRange } from './chart-choice.ts'

/** The ticker or the pairs move the last point between two polls. */
const LINE_POLL_MS = 60_000
const DAY_MS = 86_400_000

/** The candles of each range: their interval, and how many of them fill it. */
const LINES: Readonly<Record<ChartRange, { readonly interval: CandleInterval; readonly count: number }>> = {
  day: { interval: '5m', count: 288 },
  week: { interval: '1h', count: 168 },
  month: { interval: '4h', count: 180 },
  year: { interval: '1d', count: 365 },
}

/** How old the first candle must be for a range to show more than the shorter one before it. */
const LONGER_THAN_MS: Readonly<Record<ChartRange, number>> = {
  day: 0,
  week: DAY_MS,
  month: 7 * DAY_MS,
  year: 30 * DAY_MS,
}

/** The candles of a line, oldest first. */
export function usePriceLine(source: CandleSource, range: ChartRange) {
  const { interval, count } = LINES[range]
  return useQuery({
    queryKey: ['priceLine', source, range],
    queryFn: ({ signal }) => fetchCandles(source, { interval, limit: count }, signal),
    refetchInterval: LINE_POLL_MS,
  })
}

/** The ranges that the server's history fills: the shortest one where it cannot be read; `undefined` while it is read. */
export function useRanges(source: CandleSource): readonly ChartRange[] | undefined {
  const year = usePriceLine(source, 'year')
  return year.isPending ? undefined : rangesOf(year.data, year.dataUpdatedAt)
}

export function rangesOf(days: readonly Candle[] | undefined, nowMs: number): readonly ChartRange[] {
  const first = days?.[0]
  const ageMs = first ? nowMs - Date.parse(first.time) : 0
  return (Object.keys(LONGER_THAN_MS) as ChartRange[]).filter(
    (range) => range === 'day' || ageMs > LONGER_THAN_MS[range],
  )
}

/** The opening price of the range, each closing price, and the current price as the last point. */
export function pointsOf(
  candles: readonly Candle[],
  now: { readonly value: string; readonly time: string } | undefined,
): ChartPoint[] {
  const [first] = candles
  if (!first) return []
  const closes = candles
    .slice(0, -1)
    .map(({ close }, index) => ({ time: candles[index + 1]?.time ?? '', value: close }))
  const last = candles.at(-1)
  const end = now ?? (last && { value: last.close, time: last.time })
  return [{ time: first.time, value: first.open }, ...closes, ...(end ? [end] : [])]
}

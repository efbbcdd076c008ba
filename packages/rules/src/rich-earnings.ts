import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { addDays, type HongKongDay } from './hong-kong-day.ts'

/** The intervals of the earning chart. A week starts on Monday. */
export type EarningInterval = '1d' | '1w' | '1M'

/** RT collected on one day, in base units. */
export interface CollectedDay {
  readonly day: HongKongDay
  readonly units: bigint
}

export interface EarningCandle {
  /** Its first day. */
  readonly day: HongKongDay
  /** Collected on the day before the candle. */
  readonly open: bigint
  readonly high: bigint
  readonly low: bigint
  /** Collected on its last day, or today. */
  readonly close: bigint
  /** Collected in all its days. */
  readonly volume: bigint
}

/** Returns the first day of the candle that contains a day. */
function earningCandleStart(day: HongKongDay, interval: EarningInterval): HongKongDay {
  switch (interval) {
    case '1d':
      return day
    case '1w':
      return addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7))
    case '1M':
      return `${day.slice(0, 7)}-01` as HongKongDay
  }
}

/** Returns the first day of the oldest of `limit` candles, the newest of which contains `today`. */
export function oldestEarningCandle(today: HongKongDay, interval: EarningInterval, limit: number): HongKongDay {
  let start = earningCandleStart(today, interval)
  for (let count = 1; count < limit; count++) start = earningCandleStart(addDays(start, -1), interval)
  return start
}

/**
 * Draws the collected RT per day as candles, oldest first: each day counts as one value, 0 where nothing was collected. The
 * candles start with the one of the first day, or with the oldest of `limit`.
 *
 * @param chart.days in any order, at most one per day. Load those from the day before {@link oldestEarningCandle} on.
 * @param chart.firstDay the first day on which the user ever collected; `undefined`: none.
 */
export function earningCandles(chart: {
  readonly days: readonly CollectedDay[]
  readonly firstDay: HongKongDay | undefined
  readonly today: HongKongDay
  readonly interval: EarningInterval
  readonly limit: number
}): EarningCandle[] {
  const { days, firstDay, today, interval, limit } = chart
  if (firstDay === undefined) return []
  const units = new Map(days.map((each) => [each.day, each.units]))
  const oldest = oldestEarningCandle(today, interval, limit)
  const first = earningCandleStart(firstDay, interval)
  const candles: EarningCandle[] = []
  let candle: EarningCandle | undefined
  // Days as text sort by time.
  const [, start = oldest] = [first, oldest].toSorted()
  for (let day = start; day <= today; day = addDays(day, 1)) {
    const value = units.get(day) ?? 0n
    const candleDay = earningCandleStart(day, interval)
    if (candle?.day !== candleDay) {
      if (candle) candles.push(candle)
      const open: bigint = candle?.close ?? units.get(addDays(day, -1)) ?? 0n
      candle = { day: candleDay, open, high: open, low: open, close: open, volume: 0n }
    }
    candle = {
      ...candle,
      high: maxUnits(candle.high, value),
      low: minUnits(candle.low, value),
      close: value,
      volume: candle.volume + value,
    }
  }
  return candle ? [...candles, candle] : candles
}

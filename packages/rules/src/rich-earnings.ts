import { addDays, type HongKongDay } from './hong-kong-day.ts'

/** The intervals of the earning chart. A week starts on Monday. */
export type EarningInterval = '1d' | '1w' | '1M'

/** RT collected on one day, in base units. */
export interface CollectedDay {
  readonly day: HongKongDay
  readonly units: bigint
}

/** The running total of collected RT within an interval. It never falls, so `low` is `open` and `high` is `close`. */
export interface EarningCandle {
  /** Its first day. */
  readonly day: HongKongDay
  /** The total before its first day. */
  readonly open: bigint
  readonly high: bigint
  readonly low: bigint
  /** The total after its last day, or now. */
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
 * Draws the running total of collected RT as candles, oldest first. They start with the one of the first collection, or with
 * the oldest of `limit`.
 *
 * @param chart.days in any order, at most one per day. Load those from {@link oldestEarningCandle} on.
 * @param chart.firstDay the first day on which the user ever collected; `undefined`: none.
 * @param chart.collected everything collected so far, with the days before those loaded.
 */
export function earningCandles(chart: {
  readonly days: readonly CollectedDay[]
  readonly firstDay: HongKongDay | undefined
  readonly collected: bigint
  readonly today: HongKongDay
  readonly interval: EarningInterval
  readonly limit: number
}): EarningCandle[] {
  const { days, firstDay, collected, today, interval, limit } = chart
  if (firstDay === undefined) return []
  const volumes = new Map<HongKongDay, bigint>()
  for (const { day, units } of days) {
    const start = earningCandleStart(day, interval)
    volumes.set(start, (volumes.get(start) ?? 0n) + units)
  }
  const candles: EarningCandle[] = []
  let total = days.reduce((before, { units }) => before - units, collected)
  // Days as text sort by time.
  const [, first = today] = [
    earningCandleStart(firstDay, interval),
    oldestEarningCandle(today, interval, limit),
  ].toSorted()
  for (let day = first; day <= today; day = nextStart(day, interval)) {
    const volume = volumes.get(day) ?? 0n
    const close: bigint = total + volume
    candles.push({ day, open: total, high: close, low: total, close, volume })
    total = close
  }
  return candles
}

/** The first day of the candle after one that starts on a day. */
function nextStart(day: HongKongDay, interval: EarningInterval): HongKongDay {
  switch (interval) {
    case '1d':
      return addDays(day, 1)
    case '1w':
      return addDays(day, 7)
    case '1M':
      // No month has more days, and none has fewer than 28.
      return earningCandleStart(addDays(day, 31), interval)
  }
}

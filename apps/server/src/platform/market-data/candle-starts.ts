import { CANDLE_MS, type CandleInterval, candleStart } from '@clearwell/rules/candle'
import type { SpotCandleWindow } from './spot-source.ts'

/** The starts of a window's candles, oldest first: none after now, and none before 1970, which no window can name. */
export function startsIn({ interval, from, to, limit }: SpotCandleWindow, now: Date): number[] {
  const lastMs = Math.min(startBefore(to, interval) ?? Number.POSITIVE_INFINITY, candleStart(now, interval).getTime())
  const firstMs = (startBefore(from, interval) ?? -CANDLE_MS[interval]) + CANDLE_MS[interval]
  const count = Math.min(limit, (lastMs - firstMs) / CANDLE_MS[interval] + 1)
  return Array.from({ length: Math.max(count, 0) }, (_, index) => lastMs - (count - 1 - index) * CANDLE_MS[interval])
}

/** When the last candle starts that starts before a time. */
function startBefore(time: Date | undefined, interval: CandleInterval): number | undefined {
  return time && candleStart(new Date(time.getTime() - 1), interval).getTime()
}

import { CANDLE_MS, type CandleInterval, candleStart } from '@clearwell/rules/candle'

/** A spot price as a source has it. Prices are 18-decimal fixed point of the quote asset. */
export interface SpotTicker {
  readonly symbol: string
  readonly priceE18: bigint
  /** A fraction in millionths: 12,000 is +1.2 %. */
  readonly changePpm: bigint
  readonly highE18: bigint
  readonly lowE18: bigint
  /** Base units of the base asset. */
  readonly volume: bigint
  /** The time of the price. */
  readonly time: Date
  /** The price is too old, or its sources contradict each other: good enough to display, but nothing is borrowed or liquidated on it. */
  readonly stale: boolean
  /** The names of the sources that made it. */
  readonly source: string
  readonly sources: readonly SourceReading[]
}

/** One source's price of a symbol. */
export interface SourceReading {
  readonly name: string
  readonly priceE18: bigint
  readonly time: Date
  /** Too old to count. */
  readonly stale: boolean
  /** Too far from the price that most sources agree on. */
  readonly outlier: boolean
}

/** A candle, in the units of a ticker. */
export interface SpotCandle {
  readonly startsAt: Date
  readonly openE18: bigint
  readonly highE18: bigint
  readonly lowE18: bigint
  readonly closeE18: bigint
  readonly volume: bigint
}

/** The latest `limit` candles that start at `from` or later and before `to`. */
export interface SpotCandleWindow {
  readonly interval: CandleInterval
  readonly from: Date | undefined
  readonly to: Date | undefined
  readonly limit: number
}

/** Where spot prices come from. */
export interface SpotSource {
  /** All its symbols, also those without a known price. */
  readonly symbols: ReadonlySet<string>
  /** From memory. `undefined` for an unknown symbol, and before its first price. */
  ticker(symbol: string): Promise<SpotTicker | undefined>
  /**
   * Oldest first, the current one included; `undefined` for an unknown symbol.
   *
   * @throws SpotUnavailable where they are not in memory and the exchange cannot be asked.
   */
  candles(symbol: string, window: SpotCandleWindow): Promise<readonly SpotCandle[] | undefined>
}

/** The exchange that has the candles cannot be asked now. */
export class SpotUnavailable extends Error {
  override readonly name = 'SpotUnavailable'
}

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

import { CANDLE_MS, type CandleInterval, candleStart } from '@clearwell/rules/candle'
import type { Judgement, SourceReading } from './judge-readings.ts'

/** A symbol's price now, judged from its sources. Prices are 18-decimal fixed point of the quote asset. */
export type SpotQuote = Judgement & { readonly sources: readonly SourceReading[] }

/** The figures of a symbol on screen: its price where one can be shown, and the market's last 24 hours. */
export interface SpotTicker {
  readonly symbol: string
  readonly state: Judgement['state']
  /** Half-way between two fresh sources, else the last that one said; `undefined` while the price is unknown. */
  readonly priceE18: bigint | undefined
  /** The time of the price. */
  readonly time: Date | undefined
  /** The last 24 hours, in millionths: 12,000 is +1.2 %. `undefined` without a price or the market's figures. */
  readonly changePpm: bigint | undefined
  /** `undefined` before the market's first figures. */
  readonly highE18: bigint | undefined
  readonly lowE18: bigint | undefined
  /** Base units of the base asset. */
  readonly volume: bigint | undefined
  /** The names of the sources that count, or `simulated market`. */
  readonly source: string
  readonly sources: readonly SourceReading[]
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
  /** From memory. `undefined` for a symbol that the spot market does not list. */
  quote(symbol: string): SpotQuote | undefined
  /** From memory. `undefined` for a symbol that the spot market does not list. */
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

/** The starts of a window's candles, oldest first: none after now, and none before 1970. */
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

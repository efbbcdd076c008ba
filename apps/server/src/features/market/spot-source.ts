import type { CandleInterval } from '@clearwell/rules/candle'

/** A spot price as a source tells it. Prices are 18-decimal fixed point of the quote asset. */
export interface SpotTicker {
  readonly symbol: string
  readonly priceE18: bigint
  /** A fraction in millionths: 12,000 is +1.2 %. */
  readonly changePpm: bigint
  readonly highE18: bigint
  readonly lowE18: bigint
  /** Base units of the base asset. */
  readonly volume: bigint
  readonly time: Date
}

/** A candle as a source tells it, in the units of a ticker. */
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
  readonly name: string
  /** `undefined` for a symbol that the source does not have. */
  ticker(symbol: string): Promise<SpotTicker | undefined>
  /** Oldest first, the one under way among them; `undefined` for a symbol that the source does not have. */
  candles(symbol: string, window: SpotCandleWindow): Promise<readonly SpotCandle[] | undefined>
}

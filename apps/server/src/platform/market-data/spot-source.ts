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
  /** What the price is of. */
  readonly time: Date
  /** The price is too old, or its sources contradict each other: it is shown, and nothing is borrowed or liquidated on it. */
  readonly stale: boolean
  /** Whose price it is. */
  readonly source: string
  readonly sources: readonly SourceSaid[]
}

/** What one source said of a symbol. */
export interface SourceSaid {
  readonly name: string
  readonly priceE18: bigint
  readonly time: Date
  /** Too old to count. */
  readonly stale: boolean
  /** Farther from the price that most agree on than sources may be. */
  readonly outlier: boolean
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
  /** Every symbol that it has, whether a price of it is known yet or not. */
  readonly symbols: ReadonlySet<string>
  /** From memory, without asking anyone. `undefined` for another symbol, and before a price was ever known. */
  ticker(symbol: string): Promise<SpotTicker | undefined>
  /**
   * Oldest first, the one under way among them; `undefined` for a symbol that the source does not have.
   *
   * @throws SpotUnavailable where they are not at hand and whoever has them cannot be asked.
   */
  candles(symbol: string, window: SpotCandleWindow): Promise<readonly SpotCandle[] | undefined>
}

/** What was asked for is elsewhere, and there it cannot be asked for now. */
export class SpotUnavailable extends Error {
  override readonly name = 'SpotUnavailable'
}

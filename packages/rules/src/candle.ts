import { maxUnits, minUnits } from '@clearwell/money/min-max'

/** The intervals of a chart, shortest first. */
export const CANDLE_INTERVALS = ['1m', '5m', '15m', '1h', '4h', '1d'] as const

export type CandleInterval = (typeof CANDLE_INTERVALS)[number]

/** Prices are 18-decimal fixed point of the quote asset for one of the base asset; volumes are base units. */
export interface Candle {
  readonly openE18: bigint
  readonly highE18: bigint
  readonly lowE18: bigint
  readonly closeE18: bigint
  readonly volumeBase: bigint
  readonly volumeQuote: bigint
  readonly tradeCount: number
}

/**
 * One trade as a chart sees it. `priceE18` is the pool's mid price after the trade: what a tiny trade pays for one unit
 * is mostly rounding, and would draw a spike on the chart for almost no money.
 */
export interface CandleTrade {
  readonly priceE18: bigint
  readonly volumeBase: bigint
  readonly volumeQuote: bigint
}

const MINUTE_MS = 60_000
/** How long a candle of each interval lasts. */
export const CANDLE_MS: Readonly<Record<CandleInterval, number>> = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
  '4h': 240 * MINUTE_MS,
  '1d': 1440 * MINUTE_MS,
}

/**
 * The start of the candle that `time` falls into: the interval's greatest multiple since 1970-01-01T00:00Z that is not
 * after it. Days therefore start at midnight UTC (08:00 in Hong Kong), as on the exchanges that the spot candles come
 * from, and not with the product's calendar day.
 *
 * @throws RangeError on an invalid time.
 */
export function candleStart(time: Date, interval: CandleInterval): Date {
  const timeMs = time.getTime()
  if (Number.isNaN(timeMs)) throw new RangeError('candleStart: not a valid time')
  const intervalMs = CANDLE_MS[interval]
  return new Date(Math.floor(timeMs / intervalMs) * intervalMs)
}

/**
 * The candle after one more trade; exact, so the order of rounding does not matter: there is none.
 *
 * Trades come in the order in which they happened. The caller keeps candles by {@link candleStart}; a candle does not
 * know its own time.
 *
 * @param candle what the trades before came to, or `undefined` for the first of its interval.
 * @throws RangeError on a price that is not positive or a negative volume.
 */
export function addTrade(candle: Candle | undefined, trade: CandleTrade): Candle {
  const { priceE18, volumeBase, volumeQuote } = trade
  if (priceE18 <= 0n) throw new RangeError('addTrade: the price must be positive')
  if (volumeBase < 0n || volumeQuote < 0n) throw new RangeError('addTrade: a volume must not be negative')
  if (!candle) {
    return {
      openE18: priceE18,
      highE18: priceE18,
      lowE18: priceE18,
      closeE18: priceE18,
      volumeBase,
      volumeQuote,
      tradeCount: 1,
    }
  }
  return {
    openE18: candle.openE18,
    highE18: maxUnits(candle.highE18, priceE18),
    lowE18: minUnits(candle.lowE18, priceE18),
    closeE18: priceE18,
    volumeBase: candle.volumeBase + volumeBase,
    volumeQuote: candle.volumeQuote + volumeQuote,
    tradeCount: candle.tradeCount + 1,
  }
}

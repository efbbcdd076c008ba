import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { MINUTE_MS } from './spans.ts'

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
 * One trade for a chart, priced by the pool's mid price. The price that a tiny trade pays is mostly rounding, and would draw
 * a spike on the chart for almost no money.
 */
export interface CandleTrade {
  /** The mid price before the trade. A candle opens there, so it includes the move of its first trade. */
  readonly beforeE18: bigint
  /** The mid price after the trade. */
  readonly priceE18: bigint
  readonly volumeBase: bigint
  readonly volumeQuote: bigint
}

/** Duration of a candle, in milliseconds. */
export const CANDLE_MS: Readonly<Record<CandleInterval, number>> = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
  '4h': 240 * MINUTE_MS,
  '1d': 1440 * MINUTE_MS,
}

/**
 * Returns the start of the candle that contains `time`: the interval's last multiple since 1970-01-01T00:00Z that is not
 * after it. So days start at midnight UTC (08:00 in Hong Kong), like those of the exchanges that provide the spot candles,
 * and not with the product's calendar day.
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
 * Adds one trade to a candle. Exact: nothing is rounded.
 *
 * Add trades in the order in which they happened. The caller stores candles by {@link candleStart}; a candle does not
 * contain its own time.
 *
 * @param candle candle of the earlier trades, or `undefined` for the first trade of its interval.
 * @throws RangeError on a price that is not positive or a negative volume.
 */
export function addTrade(candle: Candle | undefined, trade: CandleTrade): Candle {
  const { beforeE18, priceE18, volumeBase, volumeQuote } = trade
  if (priceE18 <= 0n || beforeE18 <= 0n) throw new RangeError('addTrade: the price must be positive')
  if (volumeBase < 0n || volumeQuote < 0n) throw new RangeError('addTrade: a volume must not be negative')
  if (!candle) {
    return {
      openE18: beforeE18,
      highE18: maxUnits(beforeE18, priceE18),
      lowE18: minUnits(beforeE18, priceE18),
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

/** Start and prices of a candle: all that {@link fillGaps} needs. */
export interface CandlePrices extends Pick<Candle, 'openE18' | 'highE18' | 'lowE18' | 'closeE18'> {
  readonly startsAt: Date
}

/**
 * Fills the gaps between candles: an interval without a trade gets a flat candle at the last close.
 *
 * The result has one candle for every interval, oldest first: the latest `limit` that start at `from` or later, before `to`
 * and not after `now`. So the last one is still in progress, with or without trades. The result starts at the first known
 * price: at `from` if `previousCloseE18` is given, otherwise at the first candle. Without a known price it is empty.
 *
 * Load the latest `limit` candles of the same window and, if `from` is given, the last close before it. With fewer than
 * `limit` candles and without `from`, there are no earlier ones.
 *
 * @param fill.candles oldest first, at most one for each time; those before the window only provide the price.
 * @param fill.previousCloseE18 price before the first of `candles`.
 * @param fill.flat makes a candle without trades from its time and four equal prices: adds volumes of zero under the
 * caller's names.
 * @throws RangeError if candles are out of order, repeat a time or are off the interval's grid, if a time is invalid, or if
 * the limit is not a whole number above zero.
 */
export function fillGaps<C extends CandlePrices>(fill: {
  readonly candles: readonly C[]
  readonly interval: CandleInterval
  readonly from: Date | undefined
  readonly to: Date | undefined
  readonly now: Date
  readonly limit: number
  readonly previousCloseE18: bigint | undefined
  readonly flat: (prices: CandlePrices) => C
}): C[] {
  const { candles, interval, from, to, now, limit, flat } = fill
  assertOrdered(candles, interval)
  if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError('fillGaps: limit must be a whole number above 0')
  const intervalMs = CANDLE_MS[interval]
  const nowMs = candleStart(now, interval).getTime()
  const lastMs = to === undefined ? nowMs : Math.min(nowMs, startAtOrAfter(to, interval) - intervalMs)
  const oldestMs = lastMs - (limit - 1) * intervalMs
  const firstMs = from === undefined ? oldestMs : Math.max(oldestMs, startAtOrAfter(from, interval))

  const filled: C[] = []
  let closeE18 = fill.previousCloseE18
  let next = 0
  // Skips candles before the window, without a step for each interval.
  for (; next < candles.length && candles[next]!.startsAt.getTime() < firstMs; next += 1) {
    closeE18 = candles[next]!.closeE18
  }
  for (let startMs = firstMs; startMs <= lastMs; startMs += intervalMs) {
    const candle = candles[next]
    if (candle?.startsAt.getTime() === startMs) {
      filled.push(candle)
      closeE18 = candle.closeE18
      next += 1
    } else if (closeE18 !== undefined) {
      const startsAt = new Date(startMs)
      filled.push(flat({ startsAt, openE18: closeE18, highE18: closeE18, lowE18: closeE18, closeE18 }))
    }
  }
  return filled
}

/** Returns the start of the first candle at `time` or later, in milliseconds. */
function startAtOrAfter(time: Date, interval: CandleInterval): number {
  const startMs = candleStart(time, interval).getTime()
  return startMs === time.getTime() ? startMs : startMs + CANDLE_MS[interval]
}

function assertOrdered(candles: readonly CandlePrices[], interval: CandleInterval): void {
  let previousMs = Number.NEGATIVE_INFINITY
  for (const { startsAt } of candles) {
    const startMs = startsAt.getTime()
    if (candleStart(startsAt, interval).getTime() !== startMs)
      throw new RangeError('fillGaps: a candle is off the grid')
    if (startMs <= previousMs) throw new RangeError('fillGaps: candles must be oldest first, one of a time')
    previousMs = startMs
  }
}

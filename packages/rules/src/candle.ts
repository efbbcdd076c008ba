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
 * One trade as a chart sees it: what it made of the pool's mid price. What a tiny trade pays for one unit is mostly
 * rounding, and would draw a spike on the chart for almost no money.
 */
export interface CandleTrade {
  /** The mid price that the trade met. A candle opens there: what its first trade moved is a part of it. */
  readonly beforeE18: bigint
  /** The mid price after the trade. */
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

/** When a candle starts and what it says of the price: all that {@link fillGaps} must know, whatever else is kept of it. */
export interface CandlePrices extends Pick<Candle, 'openE18' | 'highE18' | 'lowE18' | 'closeE18'> {
  readonly startsAt: Date
}

/**
 * The candles of a chart without a hole: where nothing was traded, a flat one stands at the last close.
 *
 * The answer has one candle for every interval, oldest first: the latest `limit` that start at `from` or later, before
 * `to` and not after `now`. The last one is therefore the one under way, traded in or not. It begins where a price is
 * first known: at `from` where `previousCloseE18` is given, else at the first candle. Where none is known it is empty.
 *
 * What is needed of a store are the latest `limit` candles of the same window, and the close of the last one before
 * `from` where `from` is given: with fewer than `limit` candles and without `from` there is nothing before them.
 *
 * @param fill.candles oldest first, at most one of a time; those outside of the window only tell the price.
 * @param fill.previousCloseE18 where the price stood before the first of `candles`.
 * @param fill.flat makes a candle in which nothing was traded of its time and its four equal prices: adds the volumes
 * of zero under the names that the caller has for them.
 * @throws RangeError on candles that are out of order, twice of one time or off the interval's grid, on an invalid time,
 * or on a limit that is not a whole number above zero.
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
  refuseDisorder(candles, interval)
  if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError('fillGaps: limit must be a whole number above 0')
  const intervalMs = CANDLE_MS[interval]
  const nowMs = candleStart(now, interval).getTime()
  const lastMs = to === undefined ? nowMs : Math.min(nowMs, startAtOrAfter(to, interval) - intervalMs)
  const oldestMs = lastMs - (limit - 1) * intervalMs
  const firstMs = from === undefined ? oldestMs : Math.max(oldestMs, startAtOrAfter(from, interval))

  const filled: C[] = []
  let closeE18 = fill.previousCloseE18
  let next = 0
  // What lies before the window is passed over, not walked through interval by interval.
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

/** The start of the first candle that does not start before `time`, in milliseconds. */
function startAtOrAfter(time: Date, interval: CandleInterval): number {
  const startMs = candleStart(time, interval).getTime()
  return startMs === time.getTime() ? startMs : startMs + CANDLE_MS[interval]
}

function refuseDisorder(candles: readonly CandlePrices[], interval: CandleInterval): void {
  let previousMs = Number.NEGATIVE_INFINITY
  for (const { startsAt } of candles) {
    const startMs = startsAt.getTime()
    if (candleStart(startsAt, interval).getTime() !== startMs)
      throw new RangeError('fillGaps: a candle is off the grid')
    if (startMs <= previousMs) throw new RangeError('fillGaps: candles must be oldest first, one of a time')
    previousMs = startMs
  }
}

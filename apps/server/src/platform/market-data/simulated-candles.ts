import { CANDLE_MS } from '@clearwell/rules/candle'
import { keptLately } from './simulated-waves.ts'
import { type SpotCandle, type SpotCandleWindow, startsIn } from './spot-source.ts'

/** At least as many closed candles are kept as a chart of each interval of two symbols needs, and at most twice that. */
const KEPT = 12_000

/** The price of a symbol at a time, whose size its anchor gives. */
type PriceAt = (symbol: string, anchorE18: bigint, timeMs: number) => bigint
/** The highest and the lowest price of a symbol between two times, both of them included. */
type ReachBetween = (
  symbol: string,
  anchorE18: bigint,
  fromMs: number,
  toMs: number,
) => Pick<SpotCandle, 'highE18' | 'lowE18'>
/** What was traded of a symbol between two times. */
type VolumeBetween = (symbol: string, anchorE18: bigint, fromMs: number, toMs: number) => bigint

/**
 * Candles of a price that is a function of time. A closed candle never changes for one anchor, so it is made once and
 * served from memory; the one under way ends now. A candle's high and low are the farthest that the price went in it, so
 * they are the farthest of the shorter candles within it too.
 */
export function createSimulatedCandles(source: {
  priceAt: PriceAt
  reachBetween: ReachBetween
  volumeBetween: VolumeBetween
}) {
  const { priceAt, reachBetween, volumeBetween } = source
  const closed = keptLately<SpotCandle>(KEPT)

  return function candlesOf(
    symbol: string,
    anchorE18: bigint,
    { interval, from, to, limit }: SpotCandleWindow,
    now: Date,
  ): SpotCandle[] {
    const candleAt = (startMs: number, endMs: number): SpotCandle => ({
      startsAt: new Date(startMs),
      openE18: priceAt(symbol, anchorE18, startMs),
      ...reachBetween(symbol, anchorE18, startMs, endMs),
      closeE18: priceAt(symbol, anchorE18, endMs),
      volume: volumeBetween(symbol, anchorE18, startMs, endMs),
    })
    return startsIn({ interval, from, to, limit }, now).map((startMs) => {
      const endMs = startMs + CANDLE_MS[interval]
      if (endMs > now.getTime()) return candleAt(startMs, now.getTime())
      return closed(`${symbol}:${anchorE18}:${interval}:${startMs}`, () => candleAt(startMs, endMs))
    })
  }
}

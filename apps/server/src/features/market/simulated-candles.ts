import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { CANDLE_MS } from '@clearwell/rules/candle'
import { startsIn } from './candle-starts.ts'
import type { SpotCandle, SpotCandleWindow } from './spot-source.ts'

/**
 * A candle samples the price at its start, at each twelfth of its length, and at its end. A twelfth of a minute is five
 * seconds, where each of the price's waves turns at the earliest, so a minute's high and low are the true ones. A twelfth
 * of each longer candle is a multiple of that of the next shorter one, so what a longer candle shows, the shorter ones
 * within it show too; what it leaves out are the smaller waves between its samples.
 */
const STEPS = 12
/** At least as many closed candles are kept as a chart of each interval of two symbols needs, and at most twice that. */
const KEPT = 12_000

/** The price of a symbol at a time, whose size its anchor gives. */
type PriceAt = (symbol: string, anchorE18: bigint, timeMs: number) => bigint
/** What was traded of a symbol between two times. */
type VolumeBetween = (symbol: string, anchorE18: bigint, fromMs: number, toMs: number) => bigint

/**
 * Candles of a price that is a function of time. A closed candle never changes for one anchor, so it is made once and
 * served from memory; the one under way ends now.
 */
export function createSimulatedCandles(priceAt: PriceAt, volumeBetween: VolumeBetween) {
  const closed = keptLately<SpotCandle>(KEPT)

  return function candlesOf(
    symbol: string,
    anchorE18: bigint,
    { interval, from, to, limit }: SpotCandleWindow,
    now: Date,
  ): SpotCandle[] {
    const candleAt = (startMs: number, endMs: number) => ({
      ...sample((timeMs) => priceAt(symbol, anchorE18, timeMs), startMs, endMs, CANDLE_MS[interval] / STEPS),
      volume: volumeBetween(symbol, anchorE18, startMs, endMs),
    })
    return startsIn({ interval, from, to, limit }, now).map((startMs) => {
      const endMs = startMs + CANDLE_MS[interval]
      if (endMs > now.getTime()) return candleAt(startMs, now.getTime())
      return closed(`${symbol}:${anchorE18}:${interval}:${startMs}`, () => candleAt(startMs, endMs))
    })
  }
}

function sample(
  priceAt: (timeMs: number) => bigint,
  startMs: number,
  endMs: number,
  stepMs: number,
): Omit<SpotCandle, 'volume'> {
  const openE18 = priceAt(startMs)
  const closeE18 = priceAt(endMs)
  let highE18 = maxUnits(openE18, closeE18)
  let lowE18 = minUnits(openE18, closeE18)
  for (let timeMs = startMs + stepMs; timeMs < endMs; timeMs += stepMs) {
    const price = priceAt(timeMs)
    highE18 = maxUnits(highE18, price)
    lowE18 = minUnits(lowE18, price)
  }
  return { startsAt: new Date(startMs), openE18, highE18, lowE18, closeE18 }
}

/** Keeps the values asked for last by their names: when `size` new ones have come, those not asked for since go. */
function keptLately<Value>(size: number): (name: string, make: () => Value) => Value {
  let recent = new Map<string, Value>()
  let older = new Map<string, Value>()
  return (name, make) => {
    const kept = recent.get(name)
    if (kept !== undefined) return kept
    const value = older.get(name) ?? make()
    if (recent.size >= size) {
      older = recent
      recent = new Map()
    }
    recent.set(name, value)
    return value
  }
}

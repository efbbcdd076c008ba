import { hash } from 'node:crypto'
import { mulDiv } from '@clearwell/money/mul-div'
import { E18 } from '@clearwell/money/scale'
import { CANDLE_INTERVALS, CANDLE_MS } from '@clearwell/rules/candle'

/** A symbol's volume of an average day, in base units of the quote asset. */
const DAY_TURNOVER_UNITS = 50_000_000n * E18
/** Longest first: a day is shared out among its parts of four hours, each of these among its hours, and so on. */
const INTERVALS = CANDLE_INTERVALS.toReversed()
const DAY_MS = CANDLE_MS['1d']
const MAX_KEPT = 5_000

/**
 * Creates the volume of the simulated market, where no one trades, so that its charts look real. It depends only on the
 * seed and the time. A day's volume is divided among the intervals of a chart: a candle's volume is the sum of its shorter
 * candles, and an open candle's volume grows until it closes.
 *
 * @returns the volume between two times, in base units of the base asset.
 */
export function createSimulatedVolume(
  seed: string,
): (symbol: string, anchorE18: bigint, fromMs: number, toMs: number) => bigint {
  const weightsOf = createWeights(seed)

  /** Returns the part of `units`, the volume of the interval that starts at `startMs`, that is traded by a time. */
  function tradedBy(symbol: string, timeMs: number, startMs: number, units: bigint, level: number): bigint {
    const intervalMs = CANDLE_MS[INTERVALS[level] as (typeof INTERVALS)[number]]
    const shorter = INTERVALS[level + 1]
    // Within a minute as much is traded in each moment.
    if (!shorter) return mulDiv(units, BigInt(timeMs - startMs), BigInt(intervalMs), 'down')
    const part = Math.floor((timeMs - startMs) / CANDLE_MS[shorter])
    const weights = weightsOf(symbol, startMs, intervalMs / CANDLE_MS[shorter])
    const sumOf = (count: number) => weights.slice(0, count).reduce((sum, each) => sum + each, 0n)
    const before = mulDiv(units, sumOf(part), sumOf(weights.length), 'down')
    const after = mulDiv(units, sumOf(part + 1), sumOf(weights.length), 'down')
    return before + tradedBy(symbol, timeMs, startMs + part * CANDLE_MS[shorter], after - before, level + 1)
  }

  /** From the start of the day at `startMs` to a time in it, or its end. */
  function tradedInDay(symbol: string, anchorE18: bigint, startMs: number, timeMs: number): bigint {
    const [height = 1n] = weightsOf(`${symbol}:day`, startMs, 1)
    // From half to one and a half of the average.
    const turnover = mulDiv(DAY_TURNOVER_UNITS, WEIGHT_TOP / 2n + height, WEIGHT_TOP, 'down')
    const units = mulDiv(turnover, E18, anchorE18, 'down')
    return timeMs >= startMs + DAY_MS ? units : tradedBy(symbol, timeMs, startMs, units, 0)
  }

  return (symbol, anchorE18, fromMs, toMs) => {
    let volume = 0n
    for (let startMs = Math.floor(fromMs / DAY_MS) * DAY_MS; startMs < toMs; startMs += DAY_MS) {
      volume += tradedInDay(symbol, anchorE18, startMs, toMs)
      if (startMs < fromMs) volume -= tradedInDay(symbol, anchorE18, startMs, fromMs)
    }
    return volume
  }
}

const WEIGHT_TOP = 1_000n

/** From 1 to 1,000 for each part of an interval: some see ten times as much trade as others. */
function createWeights(seed: string): (name: string, startMs: number, parts: number) => readonly bigint[] {
  const kept = new Map<string, readonly bigint[]>()
  return (name, startMs, parts) => {
    const key = `${name}:${parts}:${startMs}`
    let weights = kept.get(key)
    if (!weights) {
      const digits = hash('sha256', `${seed}:volume:${key}`)
      weights = Array.from(
        { length: parts },
        (_, part) => (BigInt(`0x${digits.slice(part * 8, part * 8 + 8)}`) % WEIGHT_TOP) + 1n,
      )
      if (kept.size > MAX_KEPT) kept.clear()
      kept.set(key, weights)
    }
    return weights
  }
}

import { formatUnits } from '@clearwell/money/decimal'
import { unitsOf } from './chart-points.ts'

/** The prices and volume of one interval, in plain decimal text as the API returns them. */
export interface Candle {
  /** Its start, ISO 8601. */
  readonly time: string
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
  /** In the base asset. */
  readonly volume: string
}

/** Indexes of candles, with a fraction where a candle is partly visible. */
export interface CandleRange {
  readonly from: number
  readonly to: number
}

const DECIMALS = 18
const E18 = 10n ** 18n

/** Limits of the zoom: fewer candles show no more detail, and more are indistinguishable. */
const MIN_VISIBLE = 8
const MAX_VISIBLE = 400

/** The start of a candle in seconds since 1970, which identifies it in a chart. */
export function secondsOf({ time }: Candle): number {
  return Math.floor(Date.parse(time) / 1000)
}

/**
 * Candles with a newer price, which changes the last candle or starts the next one. A price of an earlier interval
 * changes nothing, nor does one so late that candles in between are missing: the next read brings those.
 *
 * @param price.seconds the time of the price; `undefined` counts it to the last candle.
 */
export function withLivePrice(
  candles: readonly Candle[],
  { value, seconds }: { readonly value: string; readonly seconds: number | undefined },
  intervalSeconds: number,
): readonly Candle[] {
  const last = candles.at(-1)
  if (!last) return candles
  const lastSeconds = secondsOf(last)
  const start = seconds === undefined ? lastSeconds : Math.floor(seconds / intervalSeconds) * intervalSeconds
  if (start === lastSeconds) {
    if (value === last.close) return candles
    return [...candles.slice(0, -1), { ...last, ...extended(last, value), close: value }]
  }
  if (start !== lastSeconds + intervalSeconds) return candles
  const { close: open } = last
  const begun = { time: new Date(start * 1000).toISOString(), open, close: value, volume: '0' }
  return [...candles, { ...begun, ...extended({ high: open, low: open }, value) }]
}

/** The lowest and highest price, and the change from the first open to the last close. */
export function summarizeCandles(
  candles: readonly Candle[],
): { first: Candle; last: Candle; low: string; high: string; change: string | undefined } | undefined {
  const [first] = candles
  const last = candles.at(-1)
  if (!first || !last) return undefined
  let { low, high } = first
  for (const candle of candles) ({ low, high } = extended(extended({ low, high }, candle.low), candle.high))
  return { first, last, low, high, change: changeBetween(first.open, last.close) }
}

/** The change from one price to another as a fraction in text, negative for a fall; `undefined` where it is unknown. */
export function changeBetween(from: string, to: string): string | undefined {
  const base = unitsOf(from)
  if (base <= 0n || to === '') return undefined
  return formatUnits(((unitsOf(to) - base) * E18) / base, DECIMALS)
}

/** The first candle that a drawing has to update; `all` where it has to draw again. */
export function changedFrom(before: readonly Candle[], after: readonly Candle[]): number | 'all' {
  const last = before.length - 1
  if (last < 0 || after.length < before.length) return 'all'
  for (let index = 0; index < last; index++) if (!isSame(before[index], after[index])) return 'all'
  if (before[last]?.time !== after[last]?.time) return 'all'
  return isSame(before[last], after[last]) ? before.length : last
}

/** A range with more (`factor` above 1) or fewer candles; `around` stays at the same position on the screen. */
export function zoomed({ from, to }: CandleRange, factor: number, around: number): CandleRange {
  const length = to - from
  const wanted = Math.min(Math.max(length * factor, MIN_VISIBLE), MAX_VISIBLE)
  const share = Math.min(Math.max((around - from) / length, 0), 1)
  const center = from + share * length
  return { from: center - share * wanted, to: center + (1 - share) * wanted }
}

/** A range moved just far enough to show a candle and one beside it. */
export function movedToShow({ from, to }: CandleRange, index: number): CandleRange {
  const by = Math.min(index - 1 - from, 0) || Math.max(index + 1 - to, 0)
  return by === 0 ? { from, to } : { from: from + by, to: to + by }
}

function extended({ high, low }: { high: string; low: string }, price: string): { high: string; low: string } {
  const units = unitsOf(price)
  return { high: units > unitsOf(high) ? price : high, low: units < unitsOf(low) ? price : low }
}

function isSame(one: Candle | undefined, other: Candle | undefined): boolean {
  if (one === other) return true
  if (!one || !other) return false
  return (Object.keys(one) as (keyof Candle)[]).every((key) => one[key] === other[key])
}

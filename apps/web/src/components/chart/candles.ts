import { formatUnits } from '@clearwell/money/decimal'
import { unitsOf } from './chart-points.ts'

/** How a price went within one interval, in plain decimal text as the API gives it. */
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

/** Places among candles, counted from the first; between two of them where a candle is seen in part. */
export interface CandleRange {
  readonly from: number
  readonly to: number
}

const DECIMALS = 18
const E18 = 10n ** 18n

/** Fewer candles than this cannot be told from each other any better, and more cannot be told apart. */
const LEAST_SEEN = 8
const MOST_SEEN = 400

/** The start of a candle, in seconds since 1970: what a chart knows it by. */
export function secondsOf({ time }: Candle): number {
  return Math.floor(Date.parse(time) / 1000)
}

/**
 * Candles after a newer price: the last one with it, or one more if another interval has begun. They stay as they are
 * where the price is older than they, or so much newer that candles between are missing: those come with the next read.
 *
 * @param price.seconds when it was so; `undefined` counts it to the last candle.
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
    return [...candles.slice(0, -1), { ...last, ...reach(last, value), close: value }]
  }
  if (start !== lastSeconds + intervalSeconds) return candles
  const { close: open } = last
  const begun = { time: new Date(start * 1000).toISOString(), open, close: value, volume: '0' }
  return [...candles, { ...begun, ...reach({ high: open, low: open }, value) }]
}

/** How far down and up candles went, and by how much the price changed from the first's open to the last's close. */
export function courseOfCandles(
  candles: readonly Candle[],
): { first: Candle; last: Candle; low: string; high: string; change: string | undefined } | undefined {
  const [first] = candles
  const last = candles.at(-1)
  if (!first || !last) return undefined
  let { low, high } = first
  for (const candle of candles) ({ low, high } = reach(reach({ low, high }, candle.low), candle.high))
  return { first, last, low, high, change: changeBetween(first.open, last.close) }
}

/** By how much a price is above (or, negative, below) another, as a fraction in text; `undefined` where it cannot be told. */
export function changeBetween(from: string, to: string): string | undefined {
  const base = unitsOf(from)
  if (base <= 0n || to === '') return undefined
  return formatUnits(((unitsOf(to) - base) * E18) / base, DECIMALS)
}

/** From which candle on a drawing has to be brought up to date; `all` where it has to be drawn anew. */
export function changedFrom(before: readonly Candle[], after: readonly Candle[]): number | 'all' {
  const last = before.length - 1
  if (last < 0 || after.length < before.length) return 'all'
  for (let index = 0; index < last; index++) if (!isSame(before[index], after[index])) return 'all'
  if (before[last]?.time !== after[last]?.time) return 'all'
  return isSame(before[last], after[last]) ? before.length : last
}

/** A range with more (`factor` above 1) or fewer candles in it, around a place that keeps its place. */
export function zoomed({ from, to }: CandleRange, factor: number, around: number): CandleRange {
  const length = to - from
  const wanted = Math.min(Math.max(length * factor, LEAST_SEEN), MOST_SEEN)
  const share = Math.min(Math.max((around - from) / length, 0), 1)
  const place = from + share * length
  return { from: place - share * wanted, to: place + (1 - share) * wanted }
}

/** A range moved just so far that a candle is in sight, with one more at its side. */
export function withInSight({ from, to }: CandleRange, index: number): CandleRange {
  const by = Math.min(index - 1 - from, 0) || Math.max(index + 1 - to, 0)
  return by === 0 ? { from, to } : { from: from + by, to: to + by }
}

function reach({ high, low }: { high: string; low: string }, price: string): { high: string; low: string } {
  const units = unitsOf(price)
  return { high: units > unitsOf(high) ? price : high, low: units < unitsOf(low) ? price : low }
}

function isSame(one: Candle | undefined, other: Candle | undefined): boolean {
  if (one === other) return true
  if (!one || !other) return false
  return (Object.keys(one) as (keyof Candle)[]).every((key) => one[key] === other[key])
}

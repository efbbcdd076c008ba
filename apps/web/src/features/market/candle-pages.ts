import { type Candle, secondsOf } from '../../components/chart/candles.ts'

/** The candles of a market that were fetched so far, oldest first, none twice. */
export interface CandlePages {
  readonly candles: readonly Candle[]
  /** Whether there may be earlier ones. */
  readonly hasOlder: boolean
}

/**
 * What is known after the latest candles were read: they count where both have one. Where candles between would be
 * missing, what was known is dropped: a chart without its past can fetch it again, one with a hole shows what never was.
 */
export function withNewer(known: CandlePages | undefined, fresh: readonly Candle[]): CandlePages {
  const last = known?.candles.at(-1)
  const [first] = fresh
  if (!known || !last || (first && secondsOf(first) > secondsOf(last))) return { candles: fresh, hasOlder: true }
  return { ...known, candles: merge(known.candles, fresh) }
}

/** What is known after earlier candles were read; where none came that is earlier than all known, there are none. */
export function withOlder(known: CandlePages, older: readonly Candle[]): CandlePages {
  const [first] = known.candles
  const earlier = first ? older.filter((candle) => secondsOf(candle) < secondsOf(first)) : []
  return { candles: merge(earlier, known.candles), hasOlder: earlier.length > 0 }
}

/** Both in the order of time, the second's where both have one of a time. */
function merge(known: readonly Candle[], fresh: readonly Candle[]): Candle[] {
  const bySecond = new Map([...known, ...fresh].map((candle) => [secondsOf(candle), candle]))
  return [...bySecond].toSorted(([one], [other]) => one - other).map(([, candle]) => candle)
}

import type { Database } from '@clearwell/ledger/database'
import { column, defineTable, forever } from '@clearwell/ledger/table'
import { mulDiv } from '@clearwell/money/mul-div'
import { CANDLE_MS, candleStart } from '@clearwell/rules/candle'
import type { Clock } from '../time/clock.ts'
import { createSimulatedVolume } from './simulated-volume.ts'
import { createWaves, keptLately, STILL, type Waves } from './simulated-waves.ts'
import {
  type SpotCandle,
  type SpotCandleWindow,
  type SpotQuote,
  type SpotSource,
  type SpotTicker,
  startsIn,
} from './spot-source.ts'

export const simulatedPrices = defineTable(
  'simulated_prices',
  forever('one row for each symbol, in the local profile only'),
  {
    symbol: column.text,
    anchor_e18: column.units,
  },
)

/** A factor in millionths. */
const PPM = 1_000_000n
const NAME = 'simulated market'
/** Money needs two sources, so the local profile simulates two; they always agree. */
const SOURCES = ['simulated exchange', 'simulated feed']
/** As long as a price of the real sources. */
const GOOD_MS = 60_000
/** How many closed candles are kept, at least: what charts of two symbols need in each interval. At most twice that. */
const KEPT = 12_000

/**
 * A market made up from a seed, for the local profile, which can reach no exchange. The price at a time is a function
 * of the seed and that time alone, so it has a past, and the same one after a restart.
 *
 * The figures of a ticker's 24 hours are those of the one-minute candles that touch them: from the start of the minute in
 * which they began, until now. High and low are the highest and the lowest of these candles, the volume is their sum, and
 * the change is against the open of the first one. So a high only rises until the minute that made it is left behind.
 */
export interface SimulatedSource extends SpotSource {
  ticker(symbol: string): Promise<SimulatedTicker | undefined>
  /** Sets the price of a symbol as of now; it moves from there. Returns false for an unknown symbol. */
  setPrice(symbol: string, priceE18: bigint): Promise<boolean>
}

/** A ticker that lacks nothing: a simulated market always has a price. */
export type SimulatedTicker = { readonly [Key in keyof SpotTicker]-?: NonNullable<SpotTicker[Key]> }

/** Stores the anchors that were set by hand. */
export interface AnchorStore {
  load(): Promise<ReadonlyMap<string, bigint>>
  save(symbol: string, anchorE18: bigint): Promise<void>
}

export async function createSimulatedSource(options: {
  seed: string
  /** False: each price stays at its anchor. True where absent. */
  moves?: boolean
  clock: Clock
  anchors: ReadonlyMap<string, bigint>
  store: AnchorStore
}): Promise<SimulatedSource> {
  const { seed, clock, store } = options
  const anchors = new Map([...options.anchors, ...(await store.load())])
  const wavesOf = wavesBySymbol(options, anchors.keys())
  /** The price of an anchor whose distance from it is known in millionths. */
  const priceOf = (anchorE18: bigint, ppm: number) => mulDiv(anchorE18, PPM + BigInt(ppm), PPM, 'down')
  const priceAt = (symbol: string, anchorE18: bigint, timeMs: number) => priceOf(anchorE18, wavesOf(symbol).at(timeMs))
  const reachBetween = (symbol: string, anchorE18: bigint, fromMs: number, toMs: number) => {
    const { high, low } = wavesOf(symbol).between(fromMs, toMs)
    return { highE18: priceOf(anchorE18, high), lowE18: priceOf(anchorE18, low) }
  }
  const volumeBetween = createSimulatedVolume(seed)
  const candlesOf = createSimulatedCandles({ priceAt, reachBetween, volumeBetween })

  function quote(symbol: string): SpotQuote | undefined {
    const anchor = anchors.get(symbol)
    if (anchor === undefined) return undefined
    const time = clock.now()
    const priceE18 = priceAt(symbol, anchor, time.getTime())
    const sources = SOURCES.map((name) => ({ name, priceE18, time, stale: false }))
    // A price of a unit may round to none.
    if (priceE18 === 0n) return { state: 'unknown', why: 'never_read', sources: [] }
    const prices = { lowE18: priceE18, highE18: priceE18, meanE18: priceE18 }
    return { state: 'fresh', ...prices, time, goodUntil: new Date(time.getTime() + GOOD_MS), sources }
  }

  return {
    symbols: new Set(anchors.keys()),
    quote,
    async ticker(symbol): Promise<SimulatedTicker | undefined> {
      const anchor = anchors.get(symbol)
      const now = quote(symbol)
      if (anchor === undefined || !now) return undefined
      const nowMs = clock.now().getTime()
      const fromMs = candleStart(new Date(nowMs - CANDLE_MS['1d']), '1m').getTime()
      const priceE18 = priceAt(symbol, anchor, nowMs)
      const openE18 = priceAt(symbol, anchor, fromMs)
      return {
        symbol,
        state: now.state,
        priceE18,
        time: new Date(nowMs),
        // A price of a unit or two may have been none a day ago.
        changePpm: openE18 === 0n ? 0n : ((priceE18 - openE18) * PPM) / openE18,
        ...reachBetween(symbol, anchor, fromMs, nowMs),
        volume: volumeBetween(symbol, anchor, fromMs, nowMs),
        source: NAME,
        sources: now.sources,
      }
    },
    async candles(symbol, window) {
      const anchor = anchors.get(symbol)
      return anchor === undefined ? undefined : candlesOf(symbol, anchor, window, clock.now())
    },
    async setPrice(symbol, priceE18) {
      if (!anchors.has(symbol)) return false
      const anchor = mulDiv(priceE18, PPM, PPM + BigInt(wavesOf(symbol).at(clock.now().getTime())), 'up')
      await store.save(symbol, anchor)
      anchors.set(symbol, anchor)
      return true
    },
  }
}

function wavesBySymbol(
  { seed, moves = true }: { readonly seed: string; readonly moves?: boolean },
  symbols: Iterable<string>,
): (symbol: string) => Waves {
  const waves = new Map([...symbols].map((symbol) => [symbol, moves ? createWaves(`${seed}:${symbol}`) : STILL]))
  return (symbol) => waves.get(symbol) as Waves
}

/** The price of a symbol at a time, whose size its anchor gives. */
type PriceAt = (symbol: string, anchorE18: bigint, timeMs: number) => bigint
/** The highest and the lowest price of a symbol between two times, both of them included. */
type ReachBetween = (
  symbol: string,
  anchorE18: bigint,
  fromMs: number,
  toMs: number,
) => Pick<SpotCandle, 'highE18' | 'lowE18'>
/** The volume of a symbol between two times. */
type VolumeBetween = (symbol: string, anchorE18: bigint, fromMs: number, toMs: number) => bigint

/**
 * Creates candles of a price that is a function of time. A closed candle never changes for one anchor, so it is computed
 * once and cached; the open candle ends now. A candle's high and low are the extremes of the price, and so the extremes
 * of its shorter candles too.
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

/** Keeps the prices that were set by hand in the local profile. */
export function createAnchorStore(db: Database): AnchorStore {
  return {
    async load() {
      const rows = await db.query<{ symbol: string; anchor_e18: bigint }>(
        'select symbol, anchor_e18 from simulated_prices',
      )
      return new Map(rows.map((row) => [row.symbol, row.anchor_e18]))
    },
    async save(symbol, anchorE18) {
      await db.query(
        `insert into simulated_prices (symbol, anchor_e18) values ($1, $2::numeric)
         on conflict (symbol) do update set anchor_e18 = excluded.anchor_e18`,
        [symbol, anchorE18.toString()],
      )
    },
  }
}

import { mulDiv } from '@clearwell/money/mul-div'
import { CANDLE_MS, candleStart } from '@clearwell/rules/candle'
import type { Clock } from '../time/clock.ts'
import { createSimulatedCandles } from './simulated-candles.ts'
import { createSimulatedVolume } from './simulated-volume.ts'
import { createWaves, type Waves } from './simulated-waves.ts'
import type { SpotSource, SpotTicker } from './spot-source.ts'

/** A factor in millionths. */
const PPM = 1_000_000n
const NAME = 'simulated market'

/**
 * A market made up from a seed, for the local profile, which can reach no exchange. The price at a time is a function
 * of the seed and that time alone, so it has a past, and the same one after a restart.
 *
 * The figures of a ticker's 24 hours are those of the one-minute candles that touch them: from the start of the minute in
 * which they began, until now. High and low are the highest and the lowest of these candles, the volume is their sum, and
 * the change is against the open of the first one. So a high only rises until the minute that made it is left behind.
 */
export interface SimulatedSource extends SpotSource {
  /** Sets the price of a symbol as of now; it moves on from there. Answers false for an unknown symbol. */
  setPrice(symbol: string, priceE18: bigint): Promise<boolean>
}

/** Keeps the anchors that were set by hand. */
export interface AnchorStore {
  load(): Promise<ReadonlyMap<string, bigint>>
  save(symbol: string, anchorE18: bigint): Promise<void>
}

export async function createSimulatedSource(options: {
  seed: string
  clock: Clock
  anchors: ReadonlyMap<string, bigint>
  store: AnchorStore
}): Promise<SimulatedSource> {
  const { seed, clock, store } = options
  const anchors = new Map([...options.anchors, ...(await store.load())])
  const waves = new Map([...anchors.keys()].map((symbol) => [symbol, createWaves(`${seed}:${symbol}`)]))

  const wavesOf = (symbol: string) => waves.get(symbol) as Waves
  /** The price of an anchor whose distance from it is known in millionths. */
  const priceOf = (anchorE18: bigint, ppm: number) => mulDiv(anchorE18, PPM + BigInt(ppm), PPM, 'down')
  const priceAt = (symbol: string, anchorE18: bigint, timeMs: number) => priceOf(anchorE18, wavesOf(symbol).at(timeMs))
  const reachBetween = (symbol: string, anchorE18: bigint, fromMs: number, toMs: number) => {
    const { high, low } = wavesOf(symbol).between(fromMs, toMs)
    return { highE18: priceOf(anchorE18, high), lowE18: priceOf(anchorE18, low) }
  }
  const volumeBetween = createSimulatedVolume(seed)
  const candlesOf = createSimulatedCandles({ priceAt, reachBetween, volumeBetween })

  return {
    symbols: new Set(anchors.keys()),
    async ticker(symbol): Promise<SpotTicker | undefined> {
      const anchor = anchors.get(symbol)
      if (anchor === undefined) return undefined
      const nowMs = clock.now().getTime()
      const fromMs = candleStart(new Date(nowMs - CANDLE_MS['1d']), '1m').getTime()
      const priceE18 = priceAt(symbol, anchor, nowMs)
      const openE18 = priceAt(symbol, anchor, fromMs)
      return {
        symbol,
        priceE18,
        // A price of a unit or two may have been none a day ago.
        changePpm: openE18 === 0n ? 0n : ((priceE18 - openE18) * PPM) / openE18,
        ...reachBetween(symbol, anchor, fromMs, nowMs),
        volume: volumeBetween(symbol, anchor, fromMs, nowMs),
        time: new Date(nowMs),
        stale: false,
        source: NAME,
        sources: [{ name: NAME, priceE18, time: new Date(nowMs), stale: false, outlier: false }],
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

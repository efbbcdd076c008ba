import { hash } from 'node:crypto'
import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import type { Clock } from '../../time/clock.ts'
import { createSimulatedCandles } from './simulated-candles.ts'
import { createSimulatedVolume } from './simulated-volume.ts'
import type { SpotSource, SpotTicker } from './spot-source.ts'

const PPM = 1_000_000
/** The same for amounts. */
const PPM_UNITS = BigInt(PPM)
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Sizes of the waves that the price is made of: how long one lasts, and how far it goes in millionths. */
const WAVES = [
  { periodMs: 7 * DAY_MS, reachPpm: 60_000 },
  { periodMs: DAY_MS, reachPpm: 20_000 },
  { periodMs: 2 * HOUR_MS, reachPpm: 6_000 },
  { periodMs: HOUR_MS / 4, reachPpm: 2_000 },
  { periodMs: HOUR_MS / 60, reachPpm: 500 },
  { periodMs: 5_000, reachPpm: 120 },
] as const
const DAY_SAMPLES = 96
const NAME = 'simulated market'

/**
 * A market made up from a seed, for the local profile, which can reach no exchange. The price at a time is a function
 * of the seed and that time alone, so it has a past, and the same one after a restart.
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

  /** What the anchor of a symbol is multiplied with at a time, in millionths. */
  const factorAt = (symbol: string, timeMs: number) => PPM_UNITS + (waves.get(symbol)?.(timeMs) ?? 0n)
  const priceAt = (symbol: string, anchorE18: bigint, timeMs: number) =>
    mulDiv(anchorE18, factorAt(symbol, timeMs), PPM_UNITS, 'down')
  const volumeBetween = createSimulatedVolume(seed)
  const candlesOf = createSimulatedCandles(priceAt, volumeBetween)

  return {
    symbols: new Set(anchors.keys()),
    async ticker(symbol): Promise<SpotTicker | undefined> {
      const anchor = anchors.get(symbol)
      if (anchor === undefined) return undefined
      const nowMs = clock.now().getTime()
      const price = priceAt(symbol, anchor, nowMs)
      const past = Array.from({ length: DAY_SAMPLES }, (_, step) =>
        priceAt(symbol, anchor, nowMs - ((step + 1) * DAY_MS) / DAY_SAMPLES),
      )
      const dayAgo = past.at(-1) ?? price
      return {
        symbol,
        priceE18: price,
        changePpm: ((price - dayAgo) * PPM_UNITS) / dayAgo,
        highE18: past.reduce(maxUnits, price),
        lowE18: past.reduce(minUnits, price),
        volume: volumeBetween(symbol, anchor, nowMs - DAY_MS, nowMs),
        time: new Date(nowMs),
        stale: false,
        source: NAME,
        sources: [{ name: NAME, priceE18: price, time: new Date(nowMs), stale: false, outlier: false }],
      }
    },
    async candles(symbol, window) {
      const anchor = anchors.get(symbol)
      return anchor === undefined ? undefined : candlesOf(symbol, anchor, window, clock.now())
    },
    async setPrice(symbol, priceE18) {
      if (!anchors.has(symbol)) return false
      const anchor = mulDiv(priceE18, PPM_UNITS, factorAt(symbol, clock.now().getTime()), 'up')
      await store.save(symbol, anchor)
      anchors.set(symbol, anchor)
      return true
    },
  }
}

/** How far the price is from its anchor at a time, in millionths: the same for the same name. */
function createWaves(name: string): (timeMs: number) => bigint {
  const heightsOf = WAVES.map((_, index) => createHeights(`${name}:${index}`))
  return (timeMs) => {
    let sum = 0
    for (const [index, { periodMs, reachPpm }] of WAVES.entries()) {
      const height = heightsOf[index] as (slot: number) => number
      const slot = Math.floor(timeMs / periodMs)
      const within = Math.floor(((timeMs - slot * periodMs) * PPM) / periodMs)
      // Most samples of a candle are where a wave turns, and need no hash for the height that it goes to from there.
      const trillionths = height(slot) * (PPM - within) + (within === 0 ? 0 : height(slot + 1) * within)
      // Reach times height in two steps, each of which a number holds to the last digit.
      const rest = Math.trunc((reachPpm * (trillionths % PPM)) / PPM)
      sum += Math.trunc((reachPpm * Math.trunc(trillionths / PPM) + rest) / PPM)
    }
    return BigInt(sum)
  }
}

/** Heights from -1 to 1 in millionths, for each whole number one. */
function createHeights(name: string): (slot: number) => number {
  const heights = new Map<number, number>()
  return (slot) => {
    let height = heights.get(slot)
    if (height === undefined) {
      height = (Number.parseInt(hash('sha256', `${name}:${slot}`).slice(0, 8), 16) % (2 * PPM + 1)) - PPM
      if (heights.size > 5_000) heights.clear()
      heights.set(slot, height)
    }
    return height
  }
}

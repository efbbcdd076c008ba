import { createHash } from 'node:crypto'
import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import type { Clock } from '../../time/clock.ts'
import type { SpotSource, SpotTicker } from './spot-source.ts'

const PPM = 1_000_000n
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Sizes of the waves that the price is made of: how long one lasts, and how far it goes in millionths. */
const WAVES = [
  { periodMs: 7 * DAY_MS, reachPpm: 60_000n },
  { periodMs: DAY_MS, reachPpm: 20_000n },
  { periodMs: 2 * HOUR_MS, reachPpm: 6_000n },
  { periodMs: HOUR_MS / 4, reachPpm: 2_000n },
  { periodMs: HOUR_MS / 60, reachPpm: 500n },
  { periodMs: 5_000, reachPpm: 120n },
] as const
const DAY_SAMPLES = 96

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

  const priceAt = (symbol: string, anchorE18: bigint, timeMs: number) =>
    mulDiv(anchorE18, PPM + wavesPpm(`${seed}:${symbol}`, timeMs), PPM, 'down')

  return {
    name: 'simulated market',
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
        changePpm: ((price - dayAgo) * PPM) / dayAgo,
        highE18: past.reduce(maxUnits, price),
        lowE18: past.reduce(minUnits, price),
        // No one trades on a simulated market.
        volume: 0n,
        time: new Date(nowMs),
      }
    },
    async setPrice(symbol, priceE18) {
      if (!anchors.has(symbol)) return false
      const factor = PPM + wavesPpm(`${seed}:${symbol}`, clock.now().getTime())
      const anchor = mulDiv(priceE18, PPM, factor, 'up')
      await store.save(symbol, anchor)
      anchors.set(symbol, anchor)
      return true
    },
  }
}

function wavesPpm(seed: string, timeMs: number): bigint {
  return WAVES.reduce((sum, wave, index) => {
    const slot = Math.floor(timeMs / wave.periodMs)
    const within = BigInt(Math.floor(((timeMs - slot * wave.periodMs) * 1_000_000) / wave.periodMs))
    const from = heightPpm(`${seed}:${index}:${slot}`)
    const to = heightPpm(`${seed}:${index}:${slot + 1}`)
    return sum + (wave.reachPpm * (from * (PPM - within) + to * within)) / PPM / PPM
  }, 0n)
}

const heights = new Map<string, bigint>()

/** A height from -1 to 1 in millionths, the same for the same name. */
function heightPpm(name: string): bigint {
  let height = heights.get(name)
  if (height === undefined) {
    height = BigInt(createHash('sha256').update(name).digest().readUInt32BE() % 2_000_001) - PPM
    if (heights.size > 20_000) heights.clear()
    heights.set(name, height)
  }
  return height
}

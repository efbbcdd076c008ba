import { hash } from 'node:crypto'
import { CANDLE_MS } from '@clearwell/rules/candle'

const PPM = 1_000_000
const MINUTE_MS = CANDLE_MS['1m']
/** From one turn of the shortest wave to the next. */
const TURN_MS = 5_000
/**
 * The waves that a price is made of: the length of each, and its reach in millionths. Each length is a multiple of the
 * next, so where a wave turns, all shorter ones turn too.
 */
const WAVES = [
  { periodMs: 7 * CANDLE_MS['1d'], reachPpm: 60_000 },
  { periodMs: CANDLE_MS['1d'], reachPpm: 20_000 },
  { periodMs: 2 * CANDLE_MS['1h'], reachPpm: 6_000 },
  { periodMs: CANDLE_MS['15m'], reachPpm: 2_000 },
  { periodMs: MINUTE_MS, reachPpm: 500 },
  { periodMs: TURN_MS, reachPpm: 120 },
] as const
const SHORTEST = WAVES.length - 1
/** How far all shorter waves of each wave go together, and a few millionths more for rounding. */
const REST_PPM = WAVES.map((_, index) => WAVES.slice(index + 1).reduce((sum, { reachPpm }) => sum + reachPpm, 20))
/** Growing spans: one for each symbol and interval, and one for the 24 hours of each symbol. */
const KEPT_SPANS = 500

/** The highest and the lowest of a span, in millionths. */
export interface Reach {
  readonly high: number
  readonly low: number
}

export interface Waves {
  /** How far the price is from its anchor at a time, in millionths. */
  at(timeMs: number): number
  /** How far it goes between two times, both of them included. */
  between(fromMs: number, toMs: number): Reach
}

/** No waves: the price stays at its anchor. */
export const STILL: Waves = { at: () => 0, between: () => ({ high: 0, low: 0 }) }

/** The waves of a name: the same name always has the same waves. */
export function createWaves(name: string): Waves {
  const sum = new WaveSum(name)
  const spans = keptLately<Reach>(KEPT_SPANS)
  return {
    at: (timeMs) => sum.at(timeMs),
    between(fromMs, toMs) {
      const minuteMs = Math.floor(toMs / MINUTE_MS) * MINUTE_MS
      if (minuteMs <= fromMs || minuteMs === toMs) return reachOf(sum, fromMs, toMs)
      // Of a growing span, the part before the current minute is searched once a minute.
      const ended = spans(`${fromMs}:${minuteMs}`, () => reachOf(sum, fromMs, minuteMs))
      const minute = reachOf(sum, minuteMs, toMs)
      return { high: Math.max(ended.high, minute.high), low: Math.min(ended.low, minute.low) }
    },
  }
}

/** The sum of all waves of a name at any time. */
class WaveSum {
  readonly #heightsOf: readonly ((slot: number) => number)[]

  constructor(name: string) {
    this.#heightsOf = WAVES.map((_, index) => createHeights(`${name}:${index}`))
  }

  /** Straight between two turns of the shortest wave, so the highest and the lowest are always at turns or ends. */
  at(timeMs: number): number {
    const turnMs = Math.floor(timeMs / TURN_MS) * TURN_MS
    const turn = this.to(SHORTEST, turnMs)
    if (turnMs === timeMs) return turn
    return turn + Math.trunc(((this.to(SHORTEST, turnMs + TURN_MS) - turn) * (timeMs - turnMs)) / TURN_MS)
  }

  /** The waves from the longest to `last`, each rounded to a millionth. */
  to(last: number, timeMs: number): number {
    let sum = 0
    for (let index = 0; index <= last; index++) {
      const { periodMs, reachPpm } = WAVES[index] as (typeof WAVES)[number]
      const height = this.#heightsOf[index] as (slot: number) => number
      const slot = Math.floor(timeMs / periodMs)
      const within = Math.floor(((timeMs - slot * periodMs) * PPM) / periodMs)
      // Most times are turns of the wave, which need no hash for the height of the next turn.
      const trillionths = height(slot) * (PPM - within) + (within === 0 ? 0 : height(slot + 1) * within)
      // Reach times height in two steps, each of which a number holds to the last digit.
      const rest = Math.trunc((reachPpm * (trillionths % PPM)) / PPM)
      sum += Math.trunc((reachPpm * Math.trunc(trillionths / PPM) + rest) / PPM)
    }
    return sum
  }
}

function reachOf(sum: WaveSum, fromMs: number, toMs: number): Reach {
  // A wave that is longer than the span would make one part of it.
  const level = WAVES.findIndex(({ periodMs }) => periodMs < toMs - fromMs)
  const span = { level: level === -1 ? SHORTEST : level, fromMs, toMs }
  return {
    high: farthest(sum, 1, span, Number.NEGATIVE_INFINITY),
    low: -farthest(sum, -1, span, Number.NEGATIVE_INFINITY),
  }
}

/**
 * The highest price of a span where `sign` is 1, and the lowest, as its negative, where it is -1. Between two turns of a
 * wave, that wave and the longer ones are straight, so no price there is farther than one of the two turns plus the reach
 * of all shorter waves. Most parts of a span are excluded by that.
 *
 * @param best found elsewhere; returned unless there is better here.
 */
function farthest(
  sum: WaveSum,
  sign: 1 | -1,
  { level, fromMs, toMs }: { level: number; fromMs: number; toMs: number },
  best: number,
): number {
  const cuts = cutsOf(WAVES[level]?.periodMs ?? TURN_MS, fromMs, toMs)
  if (level === SHORTEST) return cuts.reduce((far, timeMs) => Math.max(far, sign * sum.at(timeMs)), best)
  const sums = cuts.map((timeMs) => sign * sum.to(level, timeMs))
  const parts = sums
    .slice(1)
    .map((end, index) => ({ index, bound: Math.max(end, sums[index] as number) + (REST_PPM[level] as number) }))
    .sort((a, b) => b.bound - a.bound)
  let far = best
  for (const { index, bound } of parts) {
    if (bound <= far) break
    const part = { level: level + 1, fromMs: cuts[index] as number, toMs: cuts[index + 1] as number }
    far = farthest(sum, sign, part, far)
  }
  return far
}

/** A span's start, its end, and each multiple of a period between them. */
function cutsOf(periodMs: number, fromMs: number, toMs: number): number[] {
  const cuts = [fromMs]
  for (let timeMs = (Math.floor(fromMs / periodMs) + 1) * periodMs; timeMs < toMs; timeMs += periodMs) cuts.push(timeMs)
  cuts.push(toMs)
  return cuts
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

/** Keeps the values that were used last, by name: each time `size` new ones are added, those not used meanwhile go. */
export function keptLately<Value>(size: number): (name: string, make: () => Value) => Value {
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

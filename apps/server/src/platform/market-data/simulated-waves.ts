import { hash } from 'node:crypto'
import { CANDLE_MS } from '@clearwell/rules/candle'
import { keptLately } from './simulated-kept.ts'

const PPM = 1_000_000
const MINUTE_MS = CANDLE_MS['1m']
/** From one turn of the shortest wave to the next. */
const TURN_MS = 5_000
/**
 * Sizes of the waves that a price is made of: how long one lasts, and how far it goes in millionths. Each lasts a whole
 * number of times as long as the next, so where one turns, all shorter ones turn too.
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
/** How far the waves after each one go together, and a few millionths more for what rounding adds. */
const REST_PPM = WAVES.map((_, index) => WAVES.slice(index + 1).reduce((sum, { reachPpm }) => sum + reachPpm, 20))
/** Spans under way: one for each symbol and interval, and one for the 24 hours of each symbol. */
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

/** The waves of a name, the same ones for the same name. */
export function createWaves(name: string): Waves {
  const heightsOf = WAVES.map((_, index) => createHeights(`${name}:${index}`))
  const spans = keptLately<Reach>(KEPT_SPANS)

  /** All waves down to one, each rounded to a millionth. */
  function sumTo(last: number, timeMs: number): number {
    let sum = 0
    for (let index = 0; index <= last; index++) {
      const { periodMs, reachPpm } = WAVES[index] as (typeof WAVES)[number]
      const height = heightsOf[index] as (slot: number) => number
      const slot = Math.floor(timeMs / periodMs)
      const within = Math.floor(((timeMs - slot * periodMs) * PPM) / periodMs)
      // Most times asked for are where a wave turns, and need no hash for the height that it goes to from there.
      const trillionths = height(slot) * (PPM - within) + (within === 0 ? 0 : height(slot + 1) * within)
      // Reach times height in two steps, each of which a number holds to the last digit.
      const rest = Math.trunc((reachPpm * (trillionths % PPM)) / PPM)
      sum += Math.trunc((reachPpm * Math.trunc(trillionths / PPM) + rest) / PPM)
    }
    return sum
  }

  /** Straight from one turn of the shortest wave to the next, so the highest and the lowest are always at turns or ends. */
  function at(timeMs: number): number {
    const turnMs = Math.floor(timeMs / TURN_MS) * TURN_MS
    const turn = sumTo(SHORTEST, turnMs)
    if (turnMs === timeMs) return turn
    return turn + Math.trunc(((sumTo(SHORTEST, turnMs + TURN_MS) - turn) * (timeMs - turnMs)) / TURN_MS)
  }

  /**
   * The highest price of a span where `sign` is 1, and the lowest, as its negative, where it is -1. Between two turns of
   * a wave, it and the longer ones go straight, so no price there is farther than one of the two turns and the reach of
   * all shorter waves. Most parts of a span need no look into them for that.
   *
   * @param best what was found elsewhere: answered unless there is better here.
   */
  function farthest(sign: 1 | -1, level: number, fromMs: number, toMs: number, best: number): number {
    const cuts = cutsOf(WAVES[level]?.periodMs ?? TURN_MS, fromMs, toMs)
    if (level === SHORTEST) return cuts.reduce((far, timeMs) => Math.max(far, sign * at(timeMs)), best)
    const sums = cuts.map((timeMs) => sign * sumTo(level, timeMs))
    const parts = sums
      .slice(1)
      .map((sum, index) => ({ index, bound: Math.max(sum, sums[index] as number) + (REST_PPM[level] as number) }))
      .sort((a, b) => b.bound - a.bound)
    let far = best
    for (const { index, bound } of parts) {
      if (bound <= far) break
      far = farthest(sign, level + 1, cuts[index] as number, cuts[index + 1] as number, far)
    }
    return far
  }

  function reachOf(fromMs: number, toMs: number): Reach {
    // A wave that is longer than the span would make one part of it.
    const level = WAVES.findIndex(({ periodMs }) => periodMs < toMs - fromMs)
    const start = level === -1 ? SHORTEST : level
    return {
      high: farthest(1, start, fromMs, toMs, Number.NEGATIVE_INFINITY),
      low: -farthest(-1, start, fromMs, toMs, Number.NEGATIVE_INFINITY),
    }
  }

  return {
    at,
    between(fromMs, toMs) {
      const minuteMs = Math.floor(toMs / MINUTE_MS) * MINUTE_MS
      if (minuteMs <= fromMs || minuteMs === toMs) return reachOf(fromMs, toMs)
      // Of a span under way, what lies before the minute under way is looked at once a minute.
      const ended = spans(`${fromMs}:${minuteMs}`, () => reachOf(fromMs, minuteMs))
      const minute = reachOf(minuteMs, toMs)
      return { high: Math.max(ended.high, minute.high), low: Math.min(ended.low, minute.low) }
    },
  }
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

import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { BPS } from '@clearwell/money/scale'

/** The price of one source. */
export interface SpotReading {
  readonly name: string
  /** 18-decimal fixed point of the quote asset, above zero. */
  readonly priceE18: bigint
  /** The last moment at which the source said so, by this server's clock. */
  readonly time: Date
  /** When the source itself stops standing by it: a feed's heartbeat. Absent where only the age counts. */
  readonly validUntil?: Date
}

export interface ReadingRules {
  /** A reading that is older does not count. */
  readonly staleAfterMs: number
  /** How far two sources may be apart for borrowing, as a part of the lower price. */
  readonly maxDisagreementBps: number
  /** How far they may be apart for anything at all. */
  readonly maxClearingDisagreementBps: number
}

/** One source's price, and whether it is fresh enough to count. */
export interface SourceReading {
  readonly name: string
  readonly priceE18: bigint
  readonly time: Date
  /** Too old to count. */
  readonly stale: boolean
}

/** The common statement of a symbol's sources. Prices are E18. */
export type Judgement =
  /** Two fresh sources: near enough for borrowing ('fresh'), or only for clearing ('apart'). */
  | {
      readonly state: 'fresh' | 'apart'
      readonly lowE18: bigint
      readonly highE18: bigint
      /** Half-way between both, rounded down: the half unit belongs to neither. */
      readonly meanE18: bigint
      /** The time of the oldest reading. */
      readonly time: Date
      /** When the first reading stops counting. */
      readonly goodUntil: Date
    }
  /** One fresh source. */
  | { readonly state: 'one_source'; readonly priceE18: bigint; readonly time: Date }
  /** No fresh source, but one that was: the latest of them. */
  | { readonly state: 'stale'; readonly priceE18: bigint; readonly time: Date }
  /** No source has said anything yet, or two fresh ones contradict each other. */
  | { readonly state: 'unknown'; readonly why: 'never_read' | 'contradiction' }

/**
 * Judges the readings of a symbol. Money needs two fresh sources, since any single one can be wrong or be moved.
 *
 * - Both within `maxDisagreementBps` of the lower one: 'fresh'. Within `maxClearingDisagreementBps`: 'apart'. Farther:
 *   'unknown', because either can be wrong.
 * - All fresh sources count, so the lowest and the highest of them decide how far they are apart.
 */
export function judgeReadings(readings: readonly SpotReading[], now: Date, rules: ReadingRules): Judgement {
  const fresh = readings.filter((reading) => isFresh(reading, now, rules))
  const [first, second] = fresh
  if (!first) return staleOrUnknown(readings)
  if (!second) return { state: 'one_source', priceE18: first.priceE18, time: first.time }
  const prices = fresh.map(({ priceE18 }) => priceE18)
  const [lowE18, highE18] = [prices.reduce(minUnits), prices.reduce(maxUnits)]
  const state = stateOf(lowE18, highE18, rules)
  if (state === 'unknown') return { state, why: 'contradiction' }
  return {
    state,
    lowE18,
    highE18,
    meanE18: (lowE18 + highE18) / 2n,
    time: new Date(Math.min(...fresh.map(({ time }) => time.getTime()))),
    goodUntil: new Date(Math.min(...fresh.map((reading) => countsUntilMs(reading, rules)))),
  }
}

/** The price that screens show. */
export function shownPrice(judgement: Judgement): bigint | undefined {
  if (judgement.state === 'unknown') return undefined
  return 'meanE18' in judgement ? judgement.meanE18 : judgement.priceE18
}

/** The readings as they are shown. */
export function listSources(readings: readonly SpotReading[], now: Date, rules: ReadingRules): SourceReading[] {
  return readings.map((reading) => {
    const { name, priceE18, time } = reading
    return { name, priceE18, time, stale: !isFresh(reading, now, rules) }
  })
}

function isFresh(reading: SpotReading, now: Date, rules: ReadingRules): boolean {
  return now.getTime() <= countsUntilMs(reading, rules)
}

function countsUntilMs({ time, validUntil }: SpotReading, { staleAfterMs }: ReadingRules): number {
  return Math.min(time.getTime() + staleAfterMs, validUntil?.getTime() ?? Number.POSITIVE_INFINITY)
}

/** A difference of exactly the limit still counts. */
function stateOf(lowE18: bigint, highE18: bigint, rules: ReadingRules): 'fresh' | 'apart' | 'unknown' {
  const isWithin = (bps: number) => (highE18 - lowE18) * BPS <= lowE18 * BigInt(bps)
  if (isWithin(rules.maxDisagreementBps)) return 'fresh'
  return isWithin(rules.maxClearingDisagreementBps) ? 'apart' : 'unknown'
}

function staleOrUnknown(readings: readonly SpotReading[]): Judgement {
  const [latest] = readings.toSorted((a, b) => b.time.getTime() - a.time.getTime())
  if (!latest) return { state: 'unknown', why: 'never_read' }
  return { state: 'stale', priceE18: latest.priceE18, time: latest.time }
}

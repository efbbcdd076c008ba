import { maxUnits, minUnits } from '@clearwell/money/min-max'
import type { SourceReading } from './spot-source.ts'

/** The price of one source. */
export interface SpotReading {
  readonly name: string
  /** 18-decimal fixed point of the quote asset, above zero. */
  readonly priceE18: bigint
  /** The last moment at which the source said so, by this server's clock. */
  readonly time: Date
}

export interface CombineRules {
  /** A reading that is older does not count. */
  readonly staleAfterMs: number
  /** How far two sources may be apart, as a part of the lower price. */
  readonly maxDisagreementBps: number
}

/** The combined price of all sources, or the reason why there is none that money may move on. */
export type Combined = { readonly sources: readonly SourceReading[] } & (
  | { readonly priceE18: bigint; readonly time: Date; readonly names: readonly string[] }
  | { readonly priceE18: undefined; readonly reason: 'stale' | 'disagreement' }
)

const BPS = 10_000n

/**
 * Combines the readings of several sources into one price: the median of the fresh readings, if most of them agree with it.
 *
 * - One fresh reading is the price.
 * - Two readings must agree. If they differ by more than `maxDisagreementBps`, there is no price, because either can be
 *   wrong. Otherwise the price is half-way between them, rounded down.
 * - Of three or more readings the median is the price, so no single source can move it past another one. Readings too far
 *   from it are listed as outliers. If half of the readings or more are outliers, there is no price.
 *
 * All sources weigh the same, stale readings never count, and the price carries the time of its oldest reading. An
 * attacker who wants to move loans or liquidations must move most of the sources together.
 */
export function combineReadings(readings: readonly SpotReading[], now: Date, rules: CombineRules): Combined {
  const isFresh = ({ time }: SpotReading) => now.getTime() - time.getTime() <= rules.staleAfterMs
  const fresh = readings
    .filter(isFresh)
    .toSorted((a, b) => (a.priceE18 < b.priceE18 ? -1 : Number(a.priceE18 > b.priceE18)))
  const listReadings = (outliers: readonly SpotReading[]): SourceReading[] =>
    readings.map((reading) => ({ ...reading, stale: !isFresh(reading), outlier: outliers.includes(reading) }))

  const [low, high] = [fresh[(fresh.length - 1) >> 1], fresh[fresh.length >> 1]]
  if (!low || !high) return { sources: listReadings([]), priceE18: undefined, reason: 'stale' }
  // Rounds down: the half unit between two middle prices belongs to neither.
  const priceE18 = (low.priceE18 + high.priceE18) / 2n
  const agree = (a: bigint, b: bigint) =>
    (maxUnits(a, b) - minUnits(a, b)) * BPS <= minUnits(a, b) * BigInt(rules.maxDisagreementBps)
  if (fresh.length === 2 && !agree(low.priceE18, high.priceE18)) {
    return { sources: listReadings([]), priceE18: undefined, reason: 'disagreement' }
  }
  const outliers = fresh.length < 3 ? [] : fresh.filter((reading) => !agree(reading.priceE18, priceE18))
  if (outliers.length * 2 >= fresh.length)
    return { sources: listReadings(outliers), priceE18: undefined, reason: 'disagreement' }
  const counted = fresh.filter((reading) => !outliers.includes(reading))
  return {
    sources: listReadings(outliers),
    priceE18,
    time: new Date(Math.min(...counted.map(({ time }) => time.getTime()))),
    names: readings.filter((reading) => counted.includes(reading)).map(({ name }) => name),
  }
}

import { maxUnits, minUnits } from '@clearwell/money/min-max'
import type { SourceReading } from './spot-source.ts'

/** A price that one source stands for. */
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

/** What the sources come to: one price, or why there is none that money may move on. */
export type Combined = { readonly sources: readonly SourceReading[] } & (
  | { readonly priceE18: bigint; readonly time: Date; readonly names: readonly string[] }
  | { readonly priceE18: undefined; readonly reason: 'stale' | 'disagreement' }
)

const BPS = 10_000n

/**
 * The price that several sources come to: the median of those that are fresh, where the greater part of them agree with it.
 *
 * - One that is fresh is the price.
 * - Two must agree: farther apart than `maxDisagreementBps` there is no price, as nobody can know which of them is wrong.
 *   Else the price is half-way between them, rounded down.
 * - Of three or more the median is the price, so that no single source can move it past what another one says. Those too
 *   far from it are named as outliers. Where they are half of all or more, nobody knows, and there is no price.
 *
 * It cannot be bent: no source weighs more than another, none is preferred, nothing is averaged that is too old, the time
 * of the price is that of the oldest reading it was made of, and no argument makes a price out of a disagreement.
 * Whoever wants to move what is borrowed or liquidated must move most of the sources at once.
 */
export function combineReadings(readings: readonly SpotReading[], now: Date, rules: CombineRules): Combined {
  const isFresh = ({ time }: SpotReading) => now.getTime() - time.getTime() <= rules.staleAfterMs
  const fresh = readings
    .filter(isFresh)
    .toSorted((a, b) => (a.priceE18 < b.priceE18 ? -1 : Number(a.priceE18 > b.priceE18)))
  const said = (outliers: readonly SpotReading[]): SourceReading[] =>
    readings.map((reading) => ({ ...reading, stale: !isFresh(reading), outlier: outliers.includes(reading) }))

  const [low, high] = [fresh[(fresh.length - 1) >> 1], fresh[fresh.length >> 1]]
  if (!low || !high) return { sources: said([]), priceE18: undefined, reason: 'stale' }
  // Down: of two middle prices the half unit between them is nobody's.
  const priceE18 = (low.priceE18 + high.priceE18) / 2n
  const agree = (a: bigint, b: bigint) =>
    (maxUnits(a, b) - minUnits(a, b)) * BPS <= minUnits(a, b) * BigInt(rules.maxDisagreementBps)
  if (fresh.length === 2 && !agree(low.priceE18, high.priceE18)) {
    return { sources: said([]), priceE18: undefined, reason: 'disagreement' }
  }
  const outliers = fresh.length < 3 ? [] : fresh.filter((reading) => !agree(reading.priceE18, priceE18))
  if (outliers.length * 2 >= fresh.length)
    return { sources: said(outliers), priceE18: undefined, reason: 'disagreement' }
  const counted = fresh.filter((reading) => !outliers.includes(reading))
  return {
    sources: said(outliers),
    priceE18,
    time: new Date(Math.min(...counted.map(({ time }) => time.getTime()))),
    names: readings.filter((reading) => counted.includes(reading)).map(({ name }) => name),
  }
}

import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { candleStart } from '@clearwell/rules/candle'
import { HOUR_MS } from '@clearwell/rules/spans'
import { midPriceE18, type PoolReserves } from '@clearwell/rules/swap'
import type { Price } from '../../platform/prices/prices.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { type PoolDefinition, spotSymbolOf } from './open-pool.ts'
import { bandAround, type PriceBand, type PriceRange } from './pool-breaker.ts'
import type { SwapStore } from './swap.store.ts'

/** The part of the spot market that pools are compared with. */
export interface SpotPrices {
  readonly symbols: ReadonlySet<string>
  /** Fresh or stale; `undefined` while the price is unknown. Only a price that money may use counts. */
  ticker(symbol: string): Promise<Price | undefined>
}

/** A pool's maximum deviation from its reference, in basis points. */
export interface DeviationLimits {
  /** From its spot price. */
  readonly spotDeviationBps: bigint
  /** Without a spot price: within an hour. */
  readonly hourMoveBps: bigint
}

/** The prices that a pool is compared with, as of a time. */
export interface PriceReference {
  readonly range: PriceRange
  readonly limitBps: bigint
  readonly band: PriceBand
  /** It is the spot price, not the pool's own last hour. */
  readonly isSpot: boolean
  /**
   * The most that a unit of the base asset counts for when a fee is paid in it: the spot price, without one the lowest price of the last
   * hour, and zero for a pair that the spot market does not list. E18.
   */
  readonly marketE18: bigint
  readonly at: Date
}

interface ReferenceDependencies {
  readonly store: Pick<SwapStore, 'pricesSince'>
  readonly clock: Clock
  readonly spot: SpotPrices
  readonly limits: DeviationLimits
}

/**
 * Finds the spot price of a pool's pair where two sources are fresh, else the pool's own last hour. The last hour protects
 * users who swap, but does not show the market's price. Returns `undefined` if the pool has no price at all.
 */
export async function findReference(
  { store, clock, spot, limits }: ReferenceDependencies,
  pool: PoolDefinition,
  reserves: PoolReserves,
): Promise<PriceReference | undefined> {
  const symbol = spotSymbolOf(pool, spot.symbols)
  const price = symbol === undefined ? undefined : await spot.ticker(symbol)
  if (price && !price.stale) {
    const range = { lowestE18: price.priceE18, highestE18: price.priceE18 }
    return referenceOf(range, limits.spotDeviationBps, { isSpot: true, marketE18: price.priceE18, at: price.time })
  }
  const now = clock.now()
  const range = await lastHour(store, { pool, reserves, now })
  if (!range) return undefined
  const marketE18 = symbol === undefined ? 0n : range.lowestE18
  return referenceOf(range, limits.hourMoveBps, { isSpot: false, marketE18, at: now })
}

async function lastHour(
  store: ReferenceDependencies['store'],
  { pool, reserves, now }: { pool: PoolDefinition; reserves: PoolReserves; now: Date },
): Promise<PriceRange | undefined> {
  const priceE18 = midPriceE18(reserves)
  if (!priceE18) return undefined
  const traded = await store.pricesSince(pool.id, candleStart(new Date(now.getTime() - HOUR_MS), '1m'))
  // Before its first trade, a pool has the price of its initial liquidity.
  const beforeE18 = traded?.before_e18 ?? midPriceE18({ base: pool.initialBase, quote: pool.initialQuote }) ?? priceE18
  const prices = [priceE18, beforeE18, traded?.lowest_e18 ?? priceE18, traded?.highest_e18 ?? priceE18]
  return { lowestE18: prices.reduce(minUnits), highestE18: prices.reduce(maxUnits) }
}

function referenceOf(
  range: PriceRange,
  limitBps: bigint,
  more: Pick<PriceReference, 'isSpot' | 'marketE18' | 'at'>,
): PriceReference {
  return { range, limitBps, band: bandAround(range, limitBps), ...more }
}

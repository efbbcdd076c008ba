import type { Writer } from '@clearwell/ledger/writer'
import { formatUnits } from '@clearwell/money/decimal'
import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { candleStart } from '@clearwell/rules/candle'
import { midPriceE18, type PoolReserves } from '@clearwell/rules/swap'
import type { Price } from '../../platform/prices/prices.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { repeat } from '../../platform/time/repeat.ts'
import { answerPoolRequest, changePool } from './change-pool.ts'
import { type PoolDefinition, spotSymbolOf } from './open-pool.ts'
import { bandAround, deviationBps, isCalm, judgePool, type PriceBand, type PriceRange } from './pool-breaker.ts'
import type { PoolState, PoolView } from './pool-view.ts'
import type { SwapStore } from './swap.store.ts'

const HOUR_MS = 3_600_000
/** How long a price that was seen may be used, by its own time: as long as a spot price counts as fresh. */
const FRESH_MS = 60_000

export interface PoolLimits {
  /** How far a pool may stand from its spot price. */
  readonly spotDeviationBps: bigint
  /** How far a pool without a spot price may move within an hour. */
  readonly hourMoveBps: bigint
  /** How long the price must be calm before the rule resumes what it suspended. */
  readonly calmMs: number
}

/** Where a pool stands and where the market is. */
export interface PoolAgainstSpot {
  readonly pool: PoolDefinition
  readonly reserves: PoolReserves
  readonly spotE18: bigint
}

/** The spot market, as far as the guard needs it. */
export interface SpotPrices {
  readonly symbols: ReadonlySet<string>
  /** Fresh or stale; `undefined` before a price is known. */
  ticker(symbol: string): Promise<Price | undefined>
}

export interface PoolGuard {
  start(): void
  stop(): Promise<void>
  /** Looks now: what the timer does. Throws what went wrong, which the timer tells `onError`. */
  check(): Promise<void>
  /** Where a pool's price may go now; `undefined` while nothing fresh is known. From memory. */
  bandOf(poolId: string): PriceBand | undefined
}

/** What a pool's price was held against when it was last looked at. */
interface Sight {
  readonly range: PriceRange
  readonly limitBps: bigint
  readonly band: PriceBand
  /** Whether the rule may change the pool on it: not where the pool has a spot price and that is stale. */
  readonly isJudged: boolean
  readonly at: Date
}

/**
 * Keeps watch over the pools: holds each against its spot price or its last hour, has the writer suspend and resume by the
 * rule, does what the operator's command line asks for, and tells swaps where a price may go.
 *
 * Every server looks, for its quotes; only the one that writes acts.
 */
export function createPoolGuard(deps: {
  readonly store: SwapStore
  readonly writer: Writer
  readonly clock: Clock
  readonly view: PoolView
  readonly limits: PoolLimits
  readonly spot: SpotPrices
  /** Told of the pools against the market before they are judged: who would trade on it does so now. */
  readonly beforeJudging?: ((pools: readonly PoolAgainstSpot[]) => Promise<void>) | undefined
  readonly everyMs: number
  readonly onError: (error: unknown, doing: string) => void
}): PoolGuard {
  const { store, writer, clock, view, limits, spot, onError } = deps
  const sights = new Map<string, Sight>()
  const calmSince = new Map<string, Date>()

  async function look(): Promise<void> {
    if (writer.isWriting)
      for (const request of await store.openRequests()) await writer.execute(answerPoolRequest(request))
    const states = await view.states()
    for (const { pool, reserves } of states) {
      const sight = await sightOf(pool, reserves)
      if (sight) sights.set(pool.id, sight)
    }
    if (!writer.isWriting) return
    // On the very prices that they are judged on: between two readings the market may have moved.
    await deps.beforeJudging?.(
      states.flatMap(({ pool, reserves, suspended }) => {
        const sight = sights.get(pool.id)
        const isKnown = sight?.isJudged === true && spotSymbolOf(pool, spot.symbols) !== undefined && !suspended
        return isKnown ? [{ pool, reserves, spotE18: sight.range.lowestE18 }] : []
      }),
    )
    for (const state of await view.states()) await judge(state)
  }

  /** A pool without a fresh spot price is held against itself: that protects who swaps, but tells nothing of the market. */
  async function sightOf(pool: PoolDefinition, reserves: PoolReserves): Promise<Sight | undefined> {
    const symbol = spotSymbolOf(pool, spot.symbols)
    const price = symbol === undefined ? undefined : await spot.ticker(symbol)
    if (price && !price.stale) {
      const range = { lowestE18: price.priceE18, highestE18: price.priceE18 }
      return sightOn(range, limits.spotDeviationBps, { isJudged: true, at: price.time })
    }
    const now = clock.now()
    const range = await lastHour(pool, reserves, now)
    return range && sightOn(range, limits.hourMoveBps, { isJudged: symbol === undefined, at: now })
  }

  async function lastHour(pool: PoolDefinition, reserves: PoolReserves, now: Date): Promise<PriceRange | undefined> {
    const priceE18 = midPriceE18(reserves)
    if (!priceE18) return undefined
    const since = candleStart(new Date(now.getTime() - HOUR_MS), '1m')
    const traded = await store.pricesSince(pool.id, since)
    // Before its first trade it stood where its first liquidity said.
    const beforeE18 =
      traded?.before_e18 ?? midPriceE18({ base: pool.initialBase, quote: pool.initialQuote }) ?? priceE18
    const prices = [priceE18, beforeE18, traded?.lowest_e18 ?? priceE18, traded?.highest_e18 ?? priceE18]
    return { lowestE18: prices.reduce(minUnits), highestE18: prices.reduce(maxUnits) }
  }

  async function judge({ pool, reserves, suspendedBy, isWatched }: PoolState): Promise<void> {
    const sight = freshSight(pool.id)
    const priceE18 = midPriceE18(reserves)
    if (!sight?.isJudged || priceE18 === undefined) {
      calmSince.delete(pool.id)
      return
    }
    const { range, limitBps } = sight
    const deviation = deviationBps(priceE18, range)
    const now = clock.now()
    if (!isCalm(deviation, limitBps)) calmSince.delete(pool.id)
    else if (!calmSince.has(pool.id)) calmSince.set(pool.id, now)
    const calmForMs = now.getTime() - (calmSince.get(pool.id) ?? now).getTime()
    const kind = judgePool({ suspendedBy, isWatched, deviation, calmForMs }, { limitBps, calmMs: limits.calmMs })
    if (!kind) return
    const detail = `the pool is at ${text(priceE18)}, ${whatIsHeldAgainst(pool, range)}: ${percent(deviation)} apart, the limit is ${percent(limitBps)}`
    const { outcome } = await writer.execute(changePool({ poolId: pool.id, kind, by: 'rule', detail }))
    if (outcome === 'changed') onError(new Error(`${pool.id}: ${kind} by the rule: ${detail}`), 'pools')
  }

  function whatIsHeldAgainst(pool: PoolDefinition, { lowestE18, highestE18 }: PriceRange): string {
    return spotSymbolOf(pool, spot.symbols) !== undefined
      ? `the spot price is ${text(lowestE18)}`
      : `in the last hour it was ${text(lowestE18)} to ${text(highestE18)}`
  }

  function freshSight(poolId: string): Sight | undefined {
    const sight = sights.get(poolId)
    return sight && clock.now().getTime() - sight.at.getTime() <= FRESH_MS ? sight : undefined
  }

  // One after the other: two looks at a time could judge on each other's prices.
  const looks = repeat({ look, everyMs: deps.everyMs, onError: (error) => onError(error, 'pools') })

  return {
    start: looks.start,
    stop: looks.stop,
    check: looks.now,
    bandOf: (poolId) => freshSight(poolId)?.band,
  }
}

function sightOn(range: PriceRange, limitBps: bigint, more: { isJudged: boolean; at: Date }): Sight {
  return { range, limitBps, band: bandAround(range, limitBps), ...more }
}

function text(priceE18: bigint): string {
  return formatUnits(priceE18, 18)
}

function percent(bps: bigint): string {
  return `${formatUnits(bps, 2)} %`
}

import type { Writer } from '@clearwell/ledger/writer'
import type { FollowMarket, PoolToFollow } from '../../domain/pools/market-followers.ts'
import type { Report } from '../../platform/log/report.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { repeat } from '../../platform/time/repeat.ts'
import { changePool } from './change-pool.ts'
import type { PriceBand } from './pool-breaker.ts'
import type { PoolState, PoolView } from './pool-view.ts'
import { type DeviationLimits, findReference, type PriceReference, type SpotPrices } from './price-reference.ts'
import type { SwapStore } from './swap.store.ts'

/** The maximum age of a reference: as long as a spot price counts as fresh. */
const FRESH_MS = 60_000

export interface PoolGuard {
  start(): void
  stop(): Promise<void>
  /** Checks all pools immediately. Throws errors that the timer would report to `onError`. */
  check(): Promise<void>
  /** The pool's allowed prices now, from memory; `undefined` without a fresh reference price. */
  bandOf(poolId: string): PriceBand | undefined
  /** See {@link PriceReference.marketE18}; `undefined` without a fresh reference price. */
  marketOf(poolId: string): bigint | undefined
  /** The spot price of the pool's pair, at 10^18; `undefined` unless two sources were fresh within the last minute. */
  spotOf(poolId: string): bigint | undefined
}

export interface GuardDependencies {
  readonly store: Pick<SwapStore, 'pricesSince'>
  readonly writer: Pick<Writer, 'isWriting' | 'execute'>
  readonly clock: Clock
  readonly view: Pick<PoolView, 'states'>
  readonly limits: DeviationLimits
  readonly spot: SpotPrices
  /** Called with the pools and their spot prices: a trader can close the gap now. */
  readonly followMarket: FollowMarket
  /** Opens configured pools whose initial liquidity has arrived. */
  readonly openFunded: () => Promise<void>
  readonly everyMs: number
  readonly onError: Report
}

/**
 * Guards the pools: finds the spot price or the last hour of each, and provides swaps with the
 * allowed prices.
 *
 * No price suspends a pool: swaps that would leave the band are rejected, and others go on, so no one can close a pool.
 * Every server computes the bands, for its quotes; only the leader changes pools.
 */
export function createPoolGuard(deps: GuardDependencies): PoolGuard {
  const { writer, clock, view, onError } = deps
  const references = new Map<string, PriceReference>()

  function freshReference(poolId: string): PriceReference | undefined {
    const reference = references.get(poolId)
    return reference && clock.now().getTime() - reference.at.getTime() <= FRESH_MS ? reference : undefined
  }

  async function run(): Promise<void> {
    if (writer.isWriting) await deps.openFunded()
    const states = await view.states()
    for (const { pool, reserves } of states) {
      const reference = await findReference(deps, pool, reserves)
      if (reference) references.set(pool.id, reference)
    }
    if (!writer.isWriting) return
    await deps.followMarket(states.flatMap((state) => againstSpot(state, references.get(state.pool.id))))
    for (const { pool, suspendedBy } of states) if (suspendedBy === 'rule') await writer.execute(resumeByRule(pool.id))
  }

  const timer = repeat({ run, everyMs: deps.everyMs, onError: (error) => onError(error, 'pools') })

  return {
    start: timer.start,
    stop: timer.stop,
    check: timer.now,
    bandOf: (poolId) => freshReference(poolId)?.band,
    marketOf: (poolId) => freshReference(poolId)?.marketE18,
    spotOf(poolId) {
      const reference = freshReference(poolId)
      return reference?.isSpot ? reference.marketE18 : undefined
    },
  }
}

/** A pool that an earlier version suspended for its price trades again: swaps toward the market bring it back. */
function resumeByRule(poolId: string) {
  return changePool({ poolId, kind: 'resumed', by: 'rule', detail: 'a price no longer suspends a pool' })
}

/** The pool with its spot price; empty without a fresh one, or while the pool is suspended. */
function againstSpot({ pool, reserves, suspended }: PoolState, reference: PriceReference | undefined): PoolToFollow[] {
  return reference?.isSpot && !suspended ? [{ pool, reserves, spotE18: reference.range.lowestE18 }] : []
}

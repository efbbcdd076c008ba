import type { Writer } from '@clearwell/ledger/writer'
import { formatUnits } from '@clearwell/money/decimal'
import { midPriceE18 } from '@clearwell/rules/swap'
import type { PoolToFollow } from '../../platform/platform.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { repeat } from '../../platform/time/repeat.ts'
import { changePool, executePoolRequest } from './change-pool.ts'
import { spotSymbolOf } from './open-pool.ts'
import { deviationBps, isCalm, judgePool, type PriceBand } from './pool-breaker.ts'
import type { PoolState, PoolView } from './pool-view.ts'
import { type DeviationLimits, findReference, type PriceReference, type SpotPrices } from './price-reference.ts'
import type { SwapStore } from './swap.store.ts'

/** The maximum age of a reference: as long as a spot price counts as fresh. */
const FRESH_MS = 60_000

export interface PoolLimits extends DeviationLimits {
  /** How long the price must be calm before the rule resumes a pool that it suspended. */
  readonly calmMs: number
}

export interface PoolGuard {
  start(): void
  stop(): Promise<void>
  /** Checks all pools immediately. Throws errors that the timer would report to `onError`. */
  check(): Promise<void>
  /** The pool's allowed prices now, from memory; `undefined` without a fresh reference price. */
  bandOf(poolId: string): PriceBand | undefined
}

export interface GuardDependencies {
  readonly store: Pick<SwapStore, 'openRequests' | 'pricesSince'>
  readonly writer: Pick<Writer, 'isWriting' | 'execute'>
  readonly clock: Clock
  readonly view: Pick<PoolView, 'states'>
  readonly limits: PoolLimits
  readonly spot: SpotPrices
  /** Called before the pools are judged, with their spot prices: a trader can close the gap now. */
  readonly beforeJudging?: ((pools: readonly PoolToFollow[]) => Promise<void>) | undefined
  /** Opens configured pools whose initial liquidity has arrived. */
  readonly openFunded: () => Promise<void>
  readonly everyMs: number
  readonly onError: (error: unknown, doing: string) => void
}

/**
 * Guards the pools: compares each with its spot price or its last hour, suspends and resumes it by the rule, executes
 * the requests of the operator's command line, and provides swaps with the allowed prices.
 *
 * Every server computes the bands, for its quotes; only the leader suspends and resumes.
 */
export function createPoolGuard(deps: GuardDependencies): PoolGuard {
  const { store, writer, clock, view, spot, onError } = deps
  const references = new Map<string, PriceReference>()
  const calm = new CalmWatch()

  function freshReference(poolId: string): PriceReference | undefined {
    const reference = references.get(poolId)
    return reference && clock.now().getTime() - reference.at.getTime() <= FRESH_MS ? reference : undefined
  }

  async function look(): Promise<void> {
    if (writer.isWriting)
      for (const request of await store.openRequests()) await writer.execute(executePoolRequest(request))
    if (writer.isWriting) await deps.openFunded()
    const states = await view.states()
    for (const { pool, reserves } of states) {
      const reference = await findReference(deps, pool, reserves)
      if (reference) references.set(pool.id, reference)
    }
    if (!writer.isWriting) return
    // Uses the same prices as the judgement below: the market may move between two reads.
    await deps.beforeJudging?.(states.flatMap((state) => againstSpot(state, references.get(state.pool.id), spot)))
    for (const state of await view.states()) await judge(state)
  }

  async function judge({ pool, reserves, suspendedBy, isWatched }: PoolState): Promise<void> {
    const reference = freshReference(pool.id)
    const priceE18 = midPriceE18(reserves)
    if (!reference?.isJudged || priceE18 === undefined) return calm.end(pool.id)
    const { range, limitBps } = reference
    const deviation = deviationBps(priceE18, range)
    const calmForMs = calm.note(pool.id, isCalm(deviation, limitBps), clock.now())
    const rules = { limitBps, calmMs: deps.limits.calmMs }
    const kind = judgePool({ suspendedBy, isWatched, deviation, calmForMs }, rules)
    if (!kind) return
    const hasSpot = spotSymbolOf(pool, spot.symbols) !== undefined
    const detail = `the pool is at ${decimalOf(priceE18)}, ${describe(reference, hasSpot)}: ${percentOf(deviation)} apart, the limit is ${percentOf(limitBps)}`
    const { outcome } = await writer.execute(changePool({ poolId: pool.id, kind, by: 'rule', detail }))
    if (outcome === 'changed') onError(new Error(`${pool.id}: ${kind} by the rule: ${detail}`), 'pools')
  }

  // Sequential: concurrent checks could judge pools on each other's prices.
  const looks = repeat({ look, everyMs: deps.everyMs, onError: (error) => onError(error, 'pools') })

  return {
    start: looks.start,
    stop: looks.stop,
    check: looks.now,
    bandOf: (poolId) => freshReference(poolId)?.band,
  }
}

/** Tracks how long each pool has been calm without a break. */
class CalmWatch {
  readonly #since = new Map<string, Date>()

  /** @returns how long the pool has been calm, in milliseconds; 0 if it is not calm. */
  note(poolId: string, isCalmNow: boolean, now: Date): number {
    if (!isCalmNow) {
      this.end(poolId)
      return 0
    }
    const since = this.#since.get(poolId) ?? now
    this.#since.set(poolId, since)
    return now.getTime() - since.getTime()
  }

  end(poolId: string): void {
    this.#since.delete(poolId)
  }
}

/** The pool with its spot price; empty without a fresh one, or while the pool is suspended. */
function againstSpot(
  { pool, reserves, suspended }: PoolState,
  reference: PriceReference | undefined,
  spot: SpotPrices,
): PoolToFollow[] {
  const isComparable = reference?.isJudged === true && spotSymbolOf(pool, spot.symbols) !== undefined && !suspended
  return isComparable ? [{ pool, reserves, spotE18: reference.range.lowestE18 }] : []
}

function describe({ range: { lowestE18, highestE18 } }: PriceReference, isSpot: boolean): string {
  return isSpot
    ? `the spot price is ${decimalOf(lowestE18)}`
    : `in the last hour it was ${decimalOf(lowestE18)} to ${decimalOf(highestE18)}`
}

function decimalOf(priceE18: bigint): string {
  return formatUnits(priceE18, 18)
}

function percentOf(bps: bigint): string {
  return `${formatUnits(bps, 2)} %`
}

import type { PoolSuspension } from '@clearwell/api/refusal-reasons'
import type { ResponseOf } from '@clearwell/api/routes'
import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { E18 } from '@clearwell/money/scale'
import { candleStart } from '@clearwell/rules/candle'
import { DAY_MS } from '@clearwell/rules/spans'
import { midPriceE18, type PoolReserves, type SwapFees } from '@clearwell/rules/swap'
import { PreparedResponse } from '../../platform/http/prepared-response.ts'
import { poolAccount } from '../../platform/ledger/accounts.ts'
import type { Ruled } from '../../platform/rules/ruled.ts'
import type { ChannelSource } from '../../platform/stream/channel.ts'
import { cached } from '../../platform/time/cached.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { type PoolDefinition, spotSymbolOf, symbolOf } from './open-pool.ts'
import type { SuspendedBy } from './pool-breaker.ts'
import type { SwapStore } from './swap.store.ts'

/** The maximum age of the view on a follower, which is not notified of commits. */
const MAX_AGE_MS = 1_000

export interface PoolState {
  readonly pool: PoolDefinition
  readonly reserves: PoolReserves
  readonly suspended: { readonly reason: PoolSuspension | null; readonly at: Date } | undefined
  /** `undefined` if neither the rule nor the operator suspended it, even while the solvency breaker stops it. */
  readonly suspendedBy: SuspendedBy | undefined
  /** The time of this state. */
  readonly at: Date
}

export interface PoolView {
  /** Open pools in the order of the configuration, as of the last commit. */
  states(): Promise<readonly PoolState[]>
  /** The response of `pairs`, serialized once per change. */
  pairs(): Promise<PreparedResponse<ResponseOf<'pairs'>>>
  /** Drops the cached state after a commit: the next call reads again. */
  invalidate(): void
}

/** The public state of the pools, computed once per change and served from memory. */
export function createPoolView(deps: {
  store: SwapStore
  clock: Clock
  /** The configured pools. Pools that the operator opens while the server runs are added. */
  pools: PoolDefinition[]
  fees: Ruled<SwapFees>
  /** The symbols of the spot market. */
  spotSymbols: ReadonlySet<string>
}): PoolView {
  const { clock } = deps
  const since = clock.now()
  const states = cached({ read: () => loadStates(deps, since), maxAgeMs: MAX_AGE_MS, clock })
  let last: PreparedResponse<ResponseOf<'pairs'>> | undefined
  async function preparePairs(): Promise<PreparedResponse<ResponseOf<'pairs'>>> {
    const all = await states.get('all')
    const response = new PreparedResponse(await Promise.all(all.map((state) => pairOf(deps, state))))
    // Most commits change no pair: keep serving the existing bytes.
    if (last?.json !== response.json) last = response
    return last
  }
  const pairs = cached({ read: preparePairs, maxAgeMs: MAX_AGE_MS, clock })
  return {
    states: () => states.get('all'),
    pairs: () => pairs.get('all'),
    invalidate() {
      states.drop()
      pairs.drop()
    },
  }
}

/** The channel `pairs`. */
export function pairsChannel(view: Pick<PoolView, 'pairs'>): ChannelSource<ResponseOf<'pairs'>> {
  return { name: 'pairs', read: () => view.pairs() }
}

async function loadStates(
  { store, clock, pools }: { store: SwapStore; clock: Clock; pools: PoolDefinition[] },
  since: Date,
): Promise<PoolState[]> {
  const at = clock.now()
  const rows = new Map((await store.pools()).map((row) => [row.id, row]))
  // An earlier pool that the configuration does not have was taken out of it.
  for (const { id, base, quote, opened_at: openedAt } of rows.values())
    if (openedAt >= since && !pools.some((pool) => pool.id === id))
      pools.push({ id, base, quote, initialBase: 0n, initialQuote: 0n })
  const balances = await store.reserves([...rows.keys()])
  const units = (poolId: string, asset: string) =>
    balances.find((row) => row.account === poolAccount(poolId) && row.asset === asset)?.units ?? 0n
  return pools.flatMap((pool) => {
    const row = rows.get(pool.id)
    if (!row) return []
    const reserves = { base: units(pool.id, pool.base), quote: units(pool.id, pool.quote) }
    const suspended = row.stopped_at ? { reason: row.stopped_reason, at: row.stopped_at } : undefined
    // Rows from before the rule existed have no `suspended_by`: the operator suspended those.
    const suspendedBy = row.is_suspended ? (row.suspended_by ?? 'operator') : undefined
    return [{ pool, reserves, suspended, suspendedBy, at }]
  })
}

async function pairOf(
  {
    store,
    clock,
    fees,
    spotSymbols,
  }: {
    store: SwapStore
    clock: Clock
    fees: Ruled<SwapFees>
    spotSymbols: ReadonlySet<string>
  },
  { pool, reserves, suspended }: PoolState,
): Promise<ResponseOf<'pairs'>[number]> {
  const price = midPriceE18(reserves) ?? 0n
  const since = candleStart(new Date(clock.now().getTime() - DAY_MS), '1h')
  const candles = await store.candles(pool.id, '1h', { from: since, to: undefined, limit: 25 })
  const before = await store.lastCandleBefore(pool.id, '1h', since)
  const oldest = before?.close_e18 ?? candles.at(-1)?.open_e18 ?? price
  const text = (units: bigint) => formatUnits(units, 18)
  return {
    id: pool.id,
    base: pool.base,
    quote: pool.quote,
    symbol: symbolOf(pool),
    price: text(price),
    change_24h: oldest === 0n ? '0' : formatUnits(((price - oldest) * 1_000_000n) / oldest, 6),
    high_24h: text(candles.reduce((high, candle) => maxUnits(high, candle.high_e18), price)),
    low_24h: text(candles.reduce((low, candle) => minUnits(low, candle.low_e18), price)),
    volume_24h: formatUnits(
      candles.reduce((sum, candle) => sum + candle.volume_base, 0n),
      ASSET_DECIMALS[pool.base],
    ),
    reserve_base: formatUnits(reserves.base, ASSET_DECIMALS[pool.base]),
    reserve_quote: formatUnits(reserves.quote, ASSET_DECIMALS[pool.quote]),
    fee: formatUnits(((await fees.now()).totalBps * E18) / 10_000n, 18),
    suspended: suspended !== undefined,
    suspended_reason: suspended?.reason ?? null,
    suspended_at: suspended?.at.toISOString() ?? null,
    spot_symbol: spotSymbolOf(pool, spotSymbols) ?? null,
  }
}

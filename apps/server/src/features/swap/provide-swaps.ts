import type { Swaps } from '../../domain/pools/swaps.ts'
import { poolAccount } from '../../platform/ledger/accounts.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { executeSwap, type SwapRules } from './execute-swap.ts'
import { readHourMean } from './hour-mean.ts'
import { type PoolDefinition, spotSymbolOf, symbolOf } from './open-pool.ts'
import type { PoolGuard } from './pool-guard.ts'
import type { SwapStore } from './swap.store.ts'

/** How long a sale may wait for the writer. Its band is of this age at most. */
const SALE_TTL_MS = 60_000

/** Provides the ordinary swap to other features. */
export function provideSwaps(deps: {
  readonly store: Pick<SwapStore, 'candles' | 'lastCandleBefore'>
  readonly clock: Clock
  /** Grows when the operator opens a pool. */
  readonly pools: readonly PoolDefinition[]
  readonly rules: SwapRules
  readonly guard: Pick<PoolGuard, 'bandOf' | 'marketOf' | 'spotOf'>
  readonly spotSymbols: ReadonlySet<string>
}): Swaps {
  const { store, clock, pools, rules, guard, spotSymbols } = deps
  function find(poolId: string): PoolDefinition {
    const pool = pools.find(({ id }) => id === poolId)
    if (!pool) throw refusal('not_found')
    return pool
  }
  return {
    fees: rules.fees,
    pools: () => pools.map(({ id, base, quote }) => ({ id, base, quote, symbol: symbolOf({ base, quote }) })),
    sell({ userId, parentId, poolId, inverse, amountIn, minAmountOut }) {
      return executeSwap(rules, {
        userId,
        parentId,
        pool: find(poolId),
        inverse,
        amountIn,
        minAmountOut,
        deadline: new Date(clock.now().getTime() + SALE_TTL_MS),
        key: undefined,
        band: guard.bandOf(poolId),
        marketE18: guard.marketOf(poolId),
      })
    },
    reserves: (state, { id, base, quote }) => ({
      base: state.balance(poolAccount(id), base),
      quote: state.balance(poolAccount(id), quote),
    }),
    referenceE18: async (poolId) =>
      spotSymbolOf(find(poolId), spotSymbols) === undefined
        ? readHourMean({ store, clock }, find(poolId))
        : guard.spotOf(poolId),
  }
}

import { midPriceE18 } from '@clearwell/rules/swap'
import type { PriceSource } from '../../platform/prices/prices.ts'
import { type PoolDefinition, symbolOf } from './open-pool.ts'
import type { PoolView } from './pool-view.ts'
import type { SwapStore } from './swap.store.ts'

/** The mid prices of the open pools, for the price service. A pool always knows its own price, so it is never stale. */
export function createPoolPrices({
  store,
  view,
  pools,
}: {
  store: Pick<SwapStore, 'openedAt' | 'closesAt'>
  view: Pick<PoolView, 'states'>
  pools: readonly PoolDefinition[]
}): PriceSource {
  return {
    symbols: async () => (await view.states()).map(({ pool }) => symbolOf(pool)),
    async price(symbol) {
      const state = (await view.states()).find(({ pool }) => symbolOf(pool) === symbol)
      if (!state) return undefined
      const priceE18 = midPriceE18(state.reserves)
      return priceE18 === undefined ? undefined : { priceE18, time: state.at, stale: false }
    },
    async pricesAtE18(symbol, times) {
      const pool = pools.find((each) => symbolOf(each) === symbol)
      return pool ? poolPricesAtE18(store, pool, times) : times.map(() => undefined)
    },
  }
}

/**
 * The price after the last trade that is at least a minute older than each time. Before the first trade, the price of
 * the initial liquidity; before the pool opened, `undefined`.
 */
async function poolPricesAtE18(
  store: Pick<SwapStore, 'openedAt' | 'closesAt'>,
  pool: PoolDefinition,
  times: readonly Date[],
): Promise<(bigint | undefined)[]> {
  const [openedAt, closes] = await Promise.all([store.openedAt(pool.id), store.closesAt(pool.id, times)])
  const first = midPriceE18({ base: pool.initialBase, quote: pool.initialQuote })
  const byPoint = new Map(closes.map((row) => [row.index, row.close_e18]))
  return times.map((time, index) => byPoint.get(index) ?? (openedAt && openedAt <= time ? first : undefined))
}

import { midPriceE18 } from '@clearwell/rules/swap'
import type { PoolDefinition } from './open-pool.ts'
import type { SwapStore } from './swap.store.ts'

/**
 * What one of a pool's base asset was worth at times that are past, as 18-decimal fixed point of its quote asset: where the
 * last trade by the minute before had left it, and before any trade what its first liquidity said. `undefined` before it
 * opened.
 */
export async function poolPricesAt(
  store: SwapStore,
  pool: PoolDefinition,
  times: readonly Date[],
): Promise<(bigint | undefined)[]> {
  const [openedAt, closes] = await Promise.all([store.openedAt(pool.id), store.closesAt(pool.id, times)])
  const first = midPriceE18({ base: pool.initialBase, quote: pool.initialQuote })
  const byPoint = new Map(closes.map((row) => [row.index, row.close_e18]))
  return times.map((time, index) => byPoint.get(index) ?? (openedAt && openedAt <= time ? first : undefined))
}

import { type CandlePrices, candleStart, fillGaps } from '@clearwell/rules/candle'
import { meanPriceE18 } from '@clearwell/rules/plans'
import { HOUR_MS } from '@clearwell/rules/spans'
import { midPriceE18 } from '@clearwell/rules/swap'
import type { Clock } from '../../platform/time/clock.ts'
import type { PoolDefinition } from './open-pool.ts'
import { chartCandle } from './swap.items.ts'
import type { SwapStore } from './swap.store.ts'

const MINUTES = 60

/**
 * Reads the mean of a pool's closing prices of the last 60 whole minutes. The minute in progress does not count, so a trade
 * of this moment does not move it. Before its first trade a pool has the price of its initial liquidity.
 */
export async function readHourMean(
  { store, clock }: { readonly store: Pick<SwapStore, 'candles' | 'lastCandleBefore'>; readonly clock: Clock },
  pool: PoolDefinition,
): Promise<bigint | undefined> {
  const to = candleStart(clock.now(), '1m')
  const from = new Date(to.getTime() - HOUR_MS)
  const rows = await store.candles(pool.id, '1m', { from, to, limit: MINUTES })
  const before = await store.lastCandleBefore(pool.id, '1m', from)
  const filled = fillGaps<CandlePrices>({
    candles: rows.reverse().map(chartCandle),
    interval: '1m',
    from,
    to,
    now: clock.now(),
    limit: MINUTES,
    previousCloseE18: before?.close_e18 ?? midPriceE18({ base: pool.initialBase, quote: pool.initialQuote }),
    flat: (prices) => prices,
  })
  return meanPriceE18(filled.map(({ closeE18 }) => closeE18))
}

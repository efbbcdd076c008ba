import { swapRoutes } from '@clearwell/api/swap.routes'
import { configUnits } from '../../config/fields.ts'
import { revenueShares } from '../../config/platform-config.ts'
import { marketFollowers } from '../../domain/pools/market-followers.ts'
import { swaps } from '../../domain/pools/swaps.ts'
import { defineFeature } from '../../platform/feature.ts'
import { createSpotPrices } from '../../platform/market-data/spot-prices.ts'
import { priceSources } from '../../platform/prices/prices.ts'
import { channels } from '../../platform/stream/channel.ts'
import { changeLiquidity } from './change-liquidity.ts'
import { openFundedPools, openPools } from './open-pool.ts'
import { openPoolByOperator } from './open-pool-by-operator.ts'
import { createPoolGuard } from './pool-guard.ts'
import { createPoolPrices } from './pool-prices.ts'
import { createPoolView, pairsChannel } from './pool-view.ts'
import { provideSwaps } from './provide-swaps.ts'
import { poolLimits, swapConfig } from './swap.config.ts'
import { swapEvents } from './swap.events.ts'
import { swapHandlers } from './swap.handlers.ts'
import { collectSwap, swapMetrics } from './swap.metrics.ts'
import { createSwapStore } from './swap.store.ts'
import { SWAP_TABLES } from './swap.tables.ts'

export const swapFeature = defineFeature({
  name: 'swap',
  about: { en: 'Swap in pools, with limits and receipts', 'zh-HK': '閃兌：設有價格限度，並附收據' },
  routes: swapRoutes,
  config: swapConfig,
  tables: SWAP_TABLES,
  logKinds: ['swap', 'referral_share'],
  events: swapEvents,
  metrics: swapMetrics,
  operatorActions: [changeLiquidity, openPoolByOperator],
  open({ config, use, db, writer, clock, spot: { source: spot }, local, readPayments, log, metrics, onError }) {
    const { swap } = config
    const followers = use(marketFollowers)
    const store = createSwapStore(db)
    const pools = swap.pools.map(({ initialBase, initialQuote, ...pool }) => ({
      ...pool,
      initialBase: configUnits(initialBase, pool.base),
      initialQuote: configUnits(initialQuote, pool.quote),
    }))
    const fees = { totalBps: BigInt(swap.feeBps), revenueBps: BigInt(swap.revenueBps) }
    const view = createPoolView({ store, clock, pools, fees, spotSymbols: spot.symbols })
    writer.onCommitted(view.invalidate)
    collectSwap(metrics, { view, isLeader: () => writer.isWriting })
    const logEvent = log.events(swapEvents)
    const onOpened = (pool: string) => logEvent('pool_opened', { pool })
    const openPoolIds = async () => (await view.states()).map(({ pool }) => pool.id)
    const guard = createPoolGuard({
      store,
      writer,
      clock,
      view,
      limits: poolLimits(config),
      spot: { symbols: spot.symbols, ticker: createSpotPrices(spot).price },
      openFunded: () => openFundedPools({ writer, pools, openPoolIds, readTreasury: store.treasury, onOpened }),
      async followMarket(pools) {
        for (const follow of followers) await follow(pools)
      },
      everyMs: swap.breaker.checkMs,
      logEvent,
      onError,
    })
    const rules = { fees, revenueShares: revenueShares(config) }
    return {
      handlers: swapHandlers({
        store,
        writer,
        clock,
        view,
        pools,
        rules,
        quoteTtlMs: swap.quoteTtlMs,
        bandOf: guard.bandOf,
        marketOf: guard.marketOf,
      }),
      outcomes: { doSwap: { kind: 'swap' } },
      provides: [
        priceSources.by(createPoolPrices({ store, view, pools })),
        channels.by(pairsChannel(view)),
        swaps.by(provideSwaps({ store, clock, pools, rules, guard, spotSymbols: spot.symbols })),
      ],
      local: {
        async runDue() {
          view.invalidate()
          await guard.check()
        },
      },
      onLeader: () => openPools({ writer, pools, readPayments, fund: local?.chain.depositLiquidity, onOpened }),
      async start() {
        await guard.check().catch((error) => onError(error, 'pools'))
        guard.start()
      },
      stop: guard.stop,
    }
  },
})

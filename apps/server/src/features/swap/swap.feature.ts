import { swapRoutes } from '@clearwell/api/swap.routes'
import { configUnits } from '../../config/fields.ts'
import { marketFollowers } from '../../domain/pools/market-followers.ts'
import { swapFees, swapFeesOf } from '../../domain/pools/swap-rules.ts'
import { swaps } from '../../domain/pools/swaps.ts'
import { revenueSplit, sharesOf } from '../../domain/revenue/revenue-rules.ts'
import { defineFeature } from '../../platform/feature.ts'
import { createSpotPrices } from '../../platform/market-data/spot-prices.ts'
import { priceSources } from '../../platform/prices/prices.ts'
import { mapRuled } from '../../platform/rules/ruled.ts'
import { channels } from '../../platform/stream/channel.ts'
import { changeLiquidity } from './change-liquidity.ts'
import { changePoolByOperator } from './change-pool.ts'
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
  rules: [swapFees, revenueSplit],
  tables: SWAP_TABLES,
  logKinds: ['swap', 'referral_share'],
  events: swapEvents,
  metrics: swapMetrics,
  operatorActions: [changeLiquidity, openPoolByOperator, changePoolByOperator],
  open({ config, use, db, writer, clock, spot, local, readPayments, log, metrics, rules: ruled, onError }) {
    const { swap } = config
    const followers = use(marketFollowers)
    const store = createSwapStore(db)
    const pools = swap.pools.map(({ initialBase, initialQuote, ...pool }) => ({
      ...pool,
      initialBase: configUnits(initialBase, pool.base),
      initialQuote: configUnits(initialQuote, pool.quote),
    }))
    const fees = mapRuled(ruled.of(swapFees), swapFeesOf)
    const view = createPoolView({ store, clock, pools, fees, spotSymbols: spot.source.symbols })
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
      spot: { symbols: spot.source.symbols, ticker: createSpotPrices(spot.source).price },
      openFunded: () => openFundedPools({ writer, pools, openPoolIds, readTreasury: store.treasury, onOpened }),
      async followMarket(pools) {
        for (const follow of followers) await follow(pools)
      },
      everyMs: swap.breaker.checkMs,
      onError,
    })
    const rules = { fees, revenueShares: mapRuled(ruled.of(revenueSplit), sharesOf) }
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
        swaps.by(provideSwaps({ store, clock, pools, rules, guard, spotSymbols: spot.source.symbols })),
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

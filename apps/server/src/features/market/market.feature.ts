import { marketRoutes } from '@clearwell/api/market.routes'
import { defineFeature } from '../../platform/feature.ts'
import { createSpotPrices } from '../../platform/market-data/spot-prices.ts'
import { marketHandlers } from './market.handlers.ts'

export const marketFeature = defineFeature({
  name: 'market',
  routes: marketRoutes,
  open({ spot: { source } }) {
    const handlers = marketHandlers({ source })
    return {
      handlers,
      prices: createSpotPrices(source),
      channels: {
        ticker: async (symbol) => handlers.spotTicker({ symbol }, { locale: 'en', idempotencyKey: undefined }),
      },
    }
  },
})

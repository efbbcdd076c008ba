import { historyRoutes } from '@clearwell/api/history.routes'
import { pledgeMomentsOf } from '../../domain/lending/pledge-moment.ts'
import { defineFeature } from '../../platform/feature.ts'
import { historyHandlers } from './history.handlers.ts'
import { createHistoryStore } from './history.store.ts'

export const historyFeature = defineFeature({
  name: 'history',
  routes: historyRoutes,
  open: ({ config, db, clock, prices, moneyPrices, desk, pendingTransactionsOf }) => ({
    handlers: historyHandlers({
      store: createHistoryStore(db),
      clock,
      pledgeMoment: pledgeMomentsOf({ config, db, clock, moneyPrices }),
      priceUsdtE18: prices.priceUsdtE18,
      pricesAt: prices.pricesUsdtAtE18,
      pendingOf: pendingTransactionsOf,
      requiredConfirmations: desk.required,
      explorerUrl: config.chain.explorerUrl,
      productName: config.product.en,
    }),
  }),
})

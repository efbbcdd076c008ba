import { historyRoutes } from '@clearwell/api/history.routes'
import { defineFeature } from '../../platform/feature.ts'
import { createLendingParameters } from '../../platform/lending/lending-parameters.ts'
import { historyHandlers } from './history.handlers.ts'
import { createHistoryStore } from './history.store.ts'

export const historyFeature = defineFeature({
  name: 'history',
  routes: historyRoutes,
  open: ({ config, db, clock, prices, desk, pendingTransactionsOf }) => ({
    handlers: historyHandlers({
      store: createHistoryStore(db),
      clock,
      lendingRules: createLendingParameters({ db, clock, first: config.stake }).rules,
      priceUsdtE18: prices.priceUsdtE18,
      pricesAt: prices.pricesUsdtAtE18,
      pendingOf: pendingTransactionsOf,
      requiredConfirmations: desk.required,
      explorerUrl: config.chain.explorerUrl,
      productName: config.product.en,
    }),
  }),
})

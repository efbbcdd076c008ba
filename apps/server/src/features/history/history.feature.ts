import { historyRoutes } from '@clearwell/api/history.routes'
import { pledgeMoments } from '../../domain/lending/pledge-moment.ts'
import { defineFeature } from '../../platform/feature.ts'
import { historyHandlers } from './history.handlers.ts'
import { createHistoryStore } from './history.store.ts'
import { viewAccount } from './view-account.ts'

export const historyFeature = defineFeature({
  name: 'history',
  about: { en: 'Balance log, summary, transactions, CSV', 'zh-HK': '餘額明細、資產總覽、交易紀錄及 CSV' },
  routes: historyRoutes,
  operatorActions: [viewAccount],
  open({ config, use, db, clock, prices, desk, pendingTransactionsOf }) {
    const moments = use(pledgeMoments)
    return {
      handlers: historyHandlers({
        store: createHistoryStore(db),
        clock,
        pledgeMoment: () => moments().now(),
        priceUsdtE18: prices.priceUsdtE18,
        pricesAt: prices.pricesUsdtAtE18,
        pendingOf: pendingTransactionsOf,
        requiredConfirmations: desk.required,
        explorerUrl: config.chain.explorerUrl,
        productName: config.product.en,
      }),
    }
  },
})

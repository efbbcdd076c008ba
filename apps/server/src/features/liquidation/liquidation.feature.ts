import { liquidationRoutes } from '@clearwell/api/liquidation.routes'
import { createLendingParameters } from '../../domain/lending/lending-parameters.ts'
import { stakeConfig } from '../../domain/lending/stake-config.ts'
import { defineFeature } from '../../platform/feature.ts'
import { liquidationHandlers } from './liquidation.handlers.ts'
import { createLiquidationStore } from './liquidation.store.ts'
import { liquidations } from './liquidation.tables.ts'

/** The market of orders to be cleared. The stake feature judges the orders, and notifies the borrowers of a liquidation. */
export const liquidationFeature = defineFeature({
  name: 'liquidation',
  about: { en: 'Liquidation market', 'zh-HK': '清算市場' },
  routes: liquidationRoutes,
  config: stakeConfig,
  tables: [liquidations],
  logKinds: ['liquidation'],
  open({ config, db, writer, clock, moneyPrices }) {
    const parameters = createLendingParameters({ db, clock, first: config.stake })
    return {
      handlers: liquidationHandlers({ store: createLiquidationStore(db), writer, clock, moneyPrices, parameters }),
      outcomes: { liquidate: { kind: 'liquidate' } },
    }
  },
})

import { stakeRoutes } from '@clearwell/api/stake.routes'
import { defineFeature } from '../../platform/feature.ts'
import { createLendingStore } from '../../platform/lending/lending.store.ts'
import { stakeConfig, stakeRules } from './stake.config.ts'
import { stakeHandlers } from './stake.handlers.ts'

export const stakeFeature = defineFeature({
  name: 'stake',
  routes: stakeRoutes,
  config: stakeConfig,
  logKinds: ['pledge', 'unpledge', 'loan', 'loan_repayment', 'collateral_added', 'collateral_returned'],
  open({ config, db, writer, clock, prices }) {
    const rules = stakeRules(config)
    const store = createLendingStore(db)
    return {
      handlers: stakeHandlers({ store, writer, clock, prices, rules }),
    }
  },
})

import { stakeRoutes } from '@clearwell/api/stake.routes'
import { stakeRules } from '../../config/stake-config.ts'
import { defineFeature } from '../../platform/feature.ts'
import { createLendingStore } from '../../platform/lending/lending.store.ts'
import { createLoanDesk } from './loan-desk.ts'
import { stakeHandlers } from './stake.handlers.ts'

export const stakeFeature = defineFeature({
  name: 'stake',
  routes: stakeRoutes,
  logKinds: ['pledge', 'unpledge', 'loan', 'loan_repayment', 'collateral_added', 'collateral_returned'],
  notices: ['loan_warning', 'loan_reminder', 'loan_to_be_cleared', 'loan_liquidated'],
  open({ config, db, writer, clock, prices, notices, onError }) {
    const rules = stakeRules(config)
    const store = createLendingStore(db)
    const desk = createLoanDesk({ db, store, writer, clock, prices, notices, rules, onError })
    return {
      handlers: stakeHandlers({ store, writer, clock, prices, rules }),
      local: { runDue: desk.check },
      start: desk.start,
      stop: desk.stop,
    }
  },
})

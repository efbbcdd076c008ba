import { stakeRoutes } from '@clearwell/api/stake.routes'
import { findLendingFaults } from '../../domain/lending/check-lending.ts'
import { createLeavingStore, createLendingStore } from '../../domain/lending/lending.store.ts'
import { LENDING_TABLES, loans } from '../../domain/lending/lending.tables.ts'
import { createLendingParameters, lendingParameters } from '../../domain/lending/lending-parameters.ts'
import { createPledgeMoments, pledgeMoments } from '../../domain/lending/pledge-moment.ts'
import { stakeConfig } from '../../domain/lending/stake-config.ts'
import { revenueSplit, sharesOf } from '../../domain/revenue/revenue-rules.ts'
import { defineFeature } from '../../platform/feature.ts'
import { mapRuled } from '../../platform/rules/ruled.ts'
import { announceParameters, storeFirstParameters } from './announce-parameters.ts'
import { loanDrain } from './loan-drain.ts'
import { returnPledgesOfLeavers } from './return-pledges.ts'
import { shareReserveEachHour } from './share-reserve.ts'
import { stakeHandlers } from './stake.handlers.ts'
import { collectStake, stakeMetrics } from './stake.metrics.ts'

export const stakeFeature = defineFeature({
  name: 'stake',
  about: { en: 'Pledge, and borrow against collateral', 'zh-HK': '質押及抵押借貸' },
  routes: stakeRoutes,
  config: stakeConfig,
  tables: [lendingParameters, ...LENDING_TABLES],
  timeline: [
    {
      ...{ kind: 'order', table: loans, account: 'user_id', at: 'created_at' },
      ...{ what: `'loan opened'`, amount: ['borrow_asset', 'borrowed'], detail: `id || ', status now ' || status` },
    },
  ],
  metrics: stakeMetrics,
  operatorActions: [announceParameters],
  audits: [findLendingFaults],
  logKinds: ['pledge', 'unpledge', 'loan', 'loan_repayment', 'collateral_added', 'collateral_returned'],
  notices: [
    'loan_warning',
    'loan_reminder',
    'loan_rate_doubled',
    'loan_to_be_cleared',
    'loan_part_liquidated',
    'loan_liquidated',
  ],
  open({ config, db, writer, clock, moneyPrices, notices, metrics, rules }) {
    const parameters = createLendingParameters({ db, clock, first: config.stake })
    const store = createLendingStore(db)
    collectStake(metrics, { store, parameters, clock })
    return {
      handlers: stakeHandlers({ store, writer, clock, moneyPrices, parameters }),
      outcomes: {
        pledge: { kind: 'pledge' },
        unpledge: { kind: 'unpledge' },
        lend: { kind: 'open_loan' },
        addCollateral: { kind: 'add_collateral' },
        removeCollateral: { kind: 'remove_collateral' },
        repay: { kind: 'repay_loan' },
      },
      provides: [pledgeMoments.by({ now: createPledgeMoments({ parameters, moneyPrices, clock }) })],
      jobs: [
        shareReserveEachHour({ writer, parameters, moneyPrices, shares: mapRuled(rules.of(revenueSplit), sharesOf) }),
        loanDrain({ store, writer, clock, moneyPrices, notices, parameters }),
        returnPledgesOfLeavers({ store: createLeavingStore(db), writer, clock, moneyPrices, parameters }),
      ],
      async onLeader() {
        await writer.execute(storeFirstParameters(config.stake))
      },
    }
  },
})

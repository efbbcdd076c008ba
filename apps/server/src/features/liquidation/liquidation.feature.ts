import { liquidationRoutes } from '@clearwell/api/liquidation.routes'
import { defineFeature } from '../../platform/feature.ts'
import { refusal } from '../../platform/ledger/refuse.ts'

/** Planned: the routes exist, and the market has no orders yet. */
export const liquidationFeature = defineFeature({
  name: 'liquidation',
  routes: liquidationRoutes,
  open: () => ({
    handlers: {
      liquidations: () => ({ items: [], next_cursor: null }),
      liquidate() {
        throw refusal('not_found')
      },
      liquidationReceipt() {
        throw refusal('not_found')
      },
    },
  }),
})

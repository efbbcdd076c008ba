import type { ResponseOf } from '@clearwell/api/routes'
import type { Parameters, StressScenario, StressTestResult } from './book.queries.ts'

const TIME = '2030-01-01T00:00:00.000Z'

/** Two of three loans are hit, and insurance pays a part. */
const SCENARIO: StressScenario = {
  asset: 'BNB',
  change: '-0.3',
  price: '420',
  loans: 2,
  is_complete: true,
  pools: [
    {
      asset: 'USDT',
      loans: 2,
      debt: '780',
      shortfall: '12',
      insurance: '80',
      paid_by_insurance: '12',
      lost_by_pledgers: '0',
      pledgers_loss: '0',
    },
  ],
}

export const STRESS: StressTestResult = {
  computed_at: TIME,
  price_time: TIME,
  scenarios: [SCENARIO, { ...SCENARIO, change: '-0.5' }, { ...SCENARIO, asset: 'ETH' }],
}

const NOW: Parameters = {
  announced_at: TIME,
  effective_at: TIME,
  pools: [],
  collateral: ['BNB', 'ETH'],
  terms_days: [7, 30, 90, 180],
  ltv_initial: '0.65',
  ltv_warning: '0.75',
  ltv_last_warning: '0.8',
  ltv_liquidation: '0.83',
  liquidation_factor: '1.08',
  overdue_factor: '1.02',
  floor_factor: '1',
  ltv_whole: '0.95',
  liquidation_part: '0.5',
  small_order_loans: 5,
  max_open_orders: 200,
  order_cap: '0.2',
  account_cap: '0.4',
  unknown_price: '0.5',
  remind_hours: [24],
}

/** Nothing is announced. */
export const PARAMETERS: ResponseOf<'stakeParameters'> = { now: NOW, announced: [] }

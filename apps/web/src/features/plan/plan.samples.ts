import { CONFIG } from '../../api/config.samples.ts'
import type { ConfigWith } from '../../api/config.ts'
import type { Pair } from './plan-trade.ts'
import type { Plan, PlanRun } from './plan-words.ts'

/** Samples that screens show in the place of plans that are loading. */

/** The published fields of the configuration, for tests too. */
export const PUBLISHED = {
  plans: { least_usdt: '10', max_open: 50, slippage: '0.005', max_slippage: '0.03', max_skipped: 3, limit_days: 365 },
}

export const PLAN_CONFIG: ConfigWith<'plans'> = { ...CONFIG, ...PUBLISHED }

const TIME = '2030-01-01T01:00:00.000Z'

export const PAIRS: readonly [Pair, ...Pair[]] = [
  {
    id: 'bnb-usdt',
    base: 'BNB',
    quote: 'USDT',
    symbol: 'BNBUSDT',
    price: '620',
    change_24h: '0.0123',
    high_24h: '625',
    low_24h: '610',
    volume_24h: '42',
    reserve_base: '5000',
    reserve_quote: '3100000',
    fee: '0.0025',
    suspended: false,
    suspended_reason: null,
    suspended_at: null,
    spot_symbol: 'BNBUSDT',
  },
]

/** Buys BNB for 50 USDT every week. */
export const PLAN: Plan = {
  plan_id: '1',
  kind: 'schedule',
  pool_id: 'bnb-usdt',
  symbol: 'BNBUSDT',
  inverse: 1,
  amount: '50',
  price: null,
  every: 'week',
  hour: 9,
  slippage: '0.005',
  status: 'active',
  reason: null,
  next_at: TIME,
  ends_at: null,
  last_run: null,
  skipped: 0,
  created_at: TIME,
}

/** Sells 1 BNB at 650 USDT or more. */
export const LIMIT: Plan = {
  ...PLAN,
  plan_id: '2',
  kind: 'limit',
  inverse: 0,
  amount: '1',
  price: '650',
  every: null,
  hour: null,
  slippage: null,
  next_at: null,
  ends_at: '2030-01-31T16:00:00.000Z',
}

export const PLANS: readonly Plan[] = [PLAN, LIMIT]

export const RUNS: readonly PlanRun[] = [
  {
    run_at: TIME,
    date: '2030-01-01',
    status: 'made',
    reason: null,
    transaction_id: '1',
    amount_in: '50',
    amount_out: '0.0804',
  },
]

import type { ResponseOf } from '@clearwell/api/routes'
import type { Loan, LoanQuote, MarketPool, Pledge } from './stake.queries.ts'

/** The USDT pool: 5,000 pledged, 1,000 of it lent. */
export const USDT_POOL: MarketPool = {
  asset: 'USDT',
  supplied: '5000',
  borrowed: '1000',
  cash: '4000',
  utilisation: '0.2',
  pledge_rate: '0.002025',
  loan_rate: '0.01125',
  loan_rate_target: '0.01125',
  price: '1',
  price_state: 'fresh',
  ltv_initial: '0.65',
  ltv_warning: '0.75',
  ltv_liquidation: '0.83',
  curve: { base: '0', kink: '0.8', slope_to_kink: '0.045', slope_above_kink: '0.75', hourly_step: '0.1' },
  reserve_factor: '0.1',
  min_pledge: '1',
  min_loan: '10',
  collateral: ['BNB', 'ETH'],
  terms_days: [7, 30, 90, 180],
  paid_by_insurance: '0',
  lost_by_pledgers: '12.5',
  last_loss_at: null,
  insurance: '80',
  order_max: '1000',
  share_value_in: '1.02',
  share_value_out: '1.02',
  known_loss: '0',
}

export const PLEDGE: Pledge = {
  asset: 'USDT',
  total_pledged: '321.5',
  actual_income: '0.25',
  estimated_earnings: '0.65',
  rate: '0.002025',
  withdrawable: '300',
  lost_now: '0',
}

/** A normal order: 390 USDT against 1 BNB at 600. */
export const LOAN: Loan = {
  order_id: 'loan-1',
  status: 2,
  borrow_asset: 'USDT',
  borrowed_amount: '390',
  collateral_asset: 'BNB',
  collateral_amount: '1',
  interest_due: '0.5',
  total_debt: '390.5',
  ltv: '0.6509',
  rate: '0.0115',
  opened_rate: '0.0055',
  liquidation_price: '470.48',
  estimated_liquidation_time: '2030-01-30T00:00:00.000Z',
  repayment_time: '2030-01-31T00:00:00.000Z',
  created_at: '2030-01-01T00:00:00.000Z',
}

export const TICKER: ResponseOf<'spotTicker'> = {
  symbol: 'BNBUSDT',
  price: '600',
  change_24h: '0',
  state: 'fresh',
  high_24h: '600',
  low_24h: '600',
  volume_24h: '0',
  time: '2030-01-01T00:00:00.000Z',
  stale: false,
  source: 'simulated market',
  sources: [],
}

/** The pools of two assets, so that one is chosen. */
export const MARKET: MarketPool[] = [USDT_POOL, { ...USDT_POOL, asset: 'BNB', collateral: ['USDT', 'ETH'] }]

export const LOANS: Loan[] = [LOAN, { ...LOAN, order_id: 'loan-2' }]

/** Two days, by the hour. */
export const RATES: ResponseOf<'stakeRates'> = Array.from({ length: 48 }, (_, hour) => ({
  time: new Date(Date.UTC(2030, 0, 1, hour)).toISOString(),
  loan_rate: '0.0115',
  pledge_rate: '0.002',
  utilisation: '0.2',
}))

export const QUOTE: LoanQuote = {
  max_borrow: '390',
  min_collateral: '1',
  rate: '0.0115',
  rate_target: '0.0125',
  interest_last_30_days: '0.37',
  ltv: '0.65',
  liquidation_price: '470.48',
  interest_at_term: '0.37',
  repayment_time: '2030-01-31T00:00:00.000Z',
  price_time: '2030-01-01T00:00:00.000Z',
}

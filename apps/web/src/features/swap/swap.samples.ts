import type { SwapOrder } from './swap.queries.ts'
import type { Pair } from './swap-terms.ts'

/** A pool of 5,000 BNB and 3,100,000 USDT, so at 620. */
export const BNB_POOL: Pair = {
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
}

export const RT_POOL: Pair = {
  ...BNB_POOL,
  id: 'rt-usdt',
  base: 'RT',
  symbol: 'RTUSDT',
  price: '0.05',
  reserve_base: '1000000',
  reserve_quote: '50000',
  spot_symbol: null,
}

export const ORDERS: SwapOrder[] = ['1', '2', '3'].map((transaction_id) => ({
  transaction_id,
  pool_id: 'bnb-usdt',
  symbol: 'BNBUSDT',
  inverse: 0,
  amount_in: '1',
  amount_out: '618.45',
  price: '620',
  fee: '0.0025',
  status: 'completed',
  created_at: '2030-01-01T00:00:00.000Z',
}))

import type { DayPrice } from './day-price.ts'
import type { Pair } from './use-pairs.ts'

/** Apart from the other samples, since home loads these. */

export const BNB: Pair = {
  id: 'bnb-usdt',
  base: 'BNB',
  quote: 'USDT',
  symbol: 'BNBUSDT',
  price: '620',
  change_24h: '0.0123',
  high_24h: '625.129',
  low_24h: '610',
  volume_24h: '42.5',
  reserve_base: '5000',
  reserve_quote: '3100000',
  fee: '0.0025',
  suspended: false,
  suspended_reason: null,
  suspended_at: null,
  spot_symbol: 'BNBUSDT',
}

export const PAIRS: readonly Pair[] = [BNB, { ...BNB, id: 'eth-usdt' }, { ...BNB, id: 'rt-usdt' }]

export const DAY: DayPrice = {
  source: 'spot',
  price: '620',
  change: '0.0123',
  state: 'fresh',
  prices: ['3', '2', '3', '4', '3', '2', '3', '4', '3', '4', '5', '4'],
}

import type { Candle } from '@clearwell/ui/components/chart/candles.ts'
import type { ChartPoint } from '@clearwell/ui/components/chart/chart-points.ts'
import type { Ticker, Trade } from './market.queries.ts'

export const SPOT = {
  symbol: 'BNBUSDT',
  price: '600',
  change_24h: '-0.02',
  high_24h: '640',
  low_24h: '590',
  volume_24h: '1000',
  time: '2030-01-01T00:00:00.000Z',
  stale: false,
  source: 'exchange',
  state: 'fresh',
  sources: [],
} satisfies Ticker

export const TRADE: Trade = {
  id: 't1',
  time: '2030-01-01T00:00:00.000Z',
  side: 'sell',
  price: '619.876',
  amount_base: '1.5',
  amount_quote: '929.8',
}

export const TRADES: readonly Trade[] = ['1', '2', '3', '4', '5', '6', '7', '8'].map((id) => ({ ...TRADE, id }))

/** Enough for a line and for candles. */
export const CANDLES: readonly Candle[] = Array.from({ length: 12 }, (_, hour) => ({
  time: new Date(Date.UTC(2030, 0, 1, hour)).toISOString(),
  open: '610',
  high: '622',
  low: '609',
  close: '615',
  volume: '3',
}))

export const POINTS: readonly ChartPoint[] = CANDLES.map(({ time, close }) => ({ time, value: close }))

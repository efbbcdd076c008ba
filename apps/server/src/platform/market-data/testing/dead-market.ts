import type { FileConfig } from '../../../load-config.ts'

/** Nothing listens there. */
const NOWHERE = '127.0.0.1:1'

/** A market without a price: its exchange does not answer, and no feed is configured. */
export const DEAD_MARKET: FileConfig['market'] = {
  source: 'live',
  symbols: ['BNBUSDT', 'ETHUSDT'],
  exchange: {
    name: 'Binance',
    restUrl: `http://${NOWHERE}`,
    streamUrl: `ws://${NOWHERE}`,
    maxWeightPerMinute: 1_200,
  },
  chainlink: { BNBUSDT: null, ETHUSDT: null },
  usdtUsd: null,
  maxDisagreementBps: 200,
  maxClearingDisagreementBps: 1_000,
  staleAfterMs: 60_000,
}

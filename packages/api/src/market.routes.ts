import * as z from 'zod/mini'
import { candle, candleWindow, decimalText, optional, timeText } from './fields.ts'
import type { Route } from './route.ts'

const symbol = optional(z.string().check(z.regex(/^[A-Z0-9]{4,20}$/, 'not a symbol')))

export const marketRoutes = {
  spotTicker: {
    method: 'POST',
    path: '/spot/ticker',
    session: 'none',
    idempotent: false,
    summary: 'The spot price of a symbol. Polled every 1.5 s; BNBUSDT when none is named.',
    payload: z.object({ symbol }),
    answer: z.object({
      symbol: z.string(),
      price: decimalText,
      change_24h: decimalText,
      high_24h: decimalText,
      low_24h: decimalText,
      volume_24h: decimalText,
      time: timeText,
      stale: z.boolean(),
      /** `simulated market` in the local profile, else the name of the exchange. */
      source: z.string(),
    }),
    refusals: ['not_found', 'price_out_of_date'],
  },
  spotKline: {
    method: 'POST',
    path: '/spot/kline',
    session: 'none',
    idempotent: false,
    summary: 'Candles of a symbol, oldest first, the last one still under way. BNBUSDT when none is named.',
    payload: z.object({ symbol, ...candleWindow }),
    answer: z.array(candle),
    refusals: ['not_found'],
  },
} as const satisfies Record<string, Route>

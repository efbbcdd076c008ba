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
    isPolled: true,
    summary: 'The spot price of a symbol. Polled every 1.5 s; BNBUSDT by default.',
    payload: z.object({ symbol }),
    response: z.object({
      symbol: z.string(),
      price: decimalText,
      change_24h: decimalText,
      high_24h: decimalText,
      low_24h: decimalText,
      volume_24h: decimalText,
      time: timeText,
      stale: z.boolean(),
      /** `simulated market` in the local profile, else the names of the sources of this price, separated by `, `. */
      source: z.string(),
      /** Price of each source. `price` is the median of those that are not stale. */
      sources: z.array(
        z.object({
          name: z.string(),
          price: decimalText,
          time: timeText,
          stale: z.boolean(),
          /** Farther from the price than the limit; present if there are three or more sources. */
          outlier: z.optional(z.boolean()),
        }),
      ),
    }),
    refusals: ['not_found', 'price_out_of_date'],
  },
  spotKline: {
    method: 'POST',
    path: '/spot/kline',
    session: 'none',
    idempotent: false,
    asksExchange: true,
    summary: 'Candles of a symbol, oldest first, the last one still in progress. BNBUSDT by default.',
    payload: z.object({ symbol, ...candleWindow }),
    response: z.array(candle),
    refusals: ['not_found', 'price_out_of_date'],
  },
} as const satisfies Record<string, Route>

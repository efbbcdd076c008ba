import * as z from 'zod/mini'
import { candle, candleWindow, decimalText, optional, timeText } from './fields.ts'
import { PRICE_REASONS } from './refusal-reasons.ts'
import type { Route } from './route.ts'

const symbol = optional(z.string().check(z.regex(/^[A-Z0-9]{4,20}$/, 'not a symbol')))

/** How far a price can be trusted. Money moves only by `fresh`, and partly by `apart`. */
export const PRICE_STATES = ['fresh', ...PRICE_REASONS] as const
export type PriceState = (typeof PRICE_STATES)[number]

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
      /** Half-way between two fresh sources, else the last one that a single source gave; `null` when unknown. */
      price: z.nullable(decimalText),
      /** The last 24 hours; `null` before the exchange's first figures, and the change also without a price. */
      change_24h: z.nullable(decimalText),
      high_24h: z.nullable(decimalText),
      low_24h: z.nullable(decimalText),
      volume_24h: z.nullable(decimalText),
      /** The time of the price; `null` when unknown. */
      time: z.nullable(timeText),
      /** True unless money uses the price: unless `state` is `fresh` or `apart`. */
      stale: z.boolean(),
      /** `simulated market` in the local profile, else the names of the sources of this price, separated by `, `. */
      source: z.string(),
      /**
       * How far the price can be trusted. `fresh`: two fresh sources that agree. `apart`: two that differ, so nothing is borrowed on it.
       * `one_source`, `stale`: shown only. `unknown`: the sources contradict each other, or none has reported.
       */
      state: z.enum(PRICE_STATES),
      /** Price of each source. */
      sources: z.array(
        z.object({
          name: z.string(),
          price: decimalText,
          time: timeText,
          stale: z.boolean(),
        }),
      ),
    }),
    refusals: ['not_found'],
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

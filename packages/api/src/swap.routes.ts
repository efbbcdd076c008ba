import * as z from 'zod/mini'
import {
  amountText,
  asset,
  candle,
  candleWindow,
  decimalText,
  id,
  idempotencyKey,
  listOf,
  nothing,
  optional,
  page,
  timeInput,
  timeText,
  zeroOrOne,
} from './fields.ts'
import type { Route } from './route.ts'

/** The fixed amount of a swap: the amount sold (`in`, the default) or bought (`out`). */
const exactSide = optional(z.enum(['in', 'out']))
const swapStatus = z.enum(['pending', 'completed', 'failed'])

export const swapRoutes = {
  pairs: {
    method: 'POST',
    path: '/SwapPool/pairs',
    session: 'none',
    idempotent: false,
    isPolled: true,
    summary: 'The swap pools, the default pair first. Polled every 3 s.',
    payload: nothing,
    response: z.array(
      z.object({
        id: z.string(),
        base: asset,
        quote: asset,
        symbol: z.string(),
        price: decimalText,
        /** A fraction: 0.012 is +1.2 %. */
        change_24h: decimalText,
        high_24h: decimalText,
        low_24h: decimalText,
        volume_24h: decimalText,
        reserve_base: decimalText,
        reserve_quote: decimalText,
        fee: decimalText,
        suspended: z.boolean(),
        /** Reason and start: `operator`, `price_deviation`, or the reason for a general stop; null while it trades. */
        suspended_reason: z.nullable(z.string()),
        suspended_at: z.nullable(timeText),
        /** The symbol of this pair in `spot/ticker`; null if it has no spot price. */
        spot_symbol: z.nullable(z.string()),
      }),
    ),
    refusals: [],
  },
  getQuote: {
    method: 'POST',
    path: '/SwapPool/getQuote',
    session: 'none',
    idempotent: false,
    summary:
      'Quotes a swap at this moment. `inverse` 0 sells the first asset of the pair, 1 the second. A quote that would move the pool too far from the market is refused, like the swap.',
    payload: z.object({ pool_id: id, amount: amountText, inverse: zeroOrOne, exact: exactSide }),
    response: z.object({
      /** Amount sold: `amount`, or with `exact` = `out` the least that buys it, rounded up. */
      amount_in: decimalText,
      /** Net of fee, rounded down. */
      amount_out: decimalText,
      /** The same trade at the mid price, without fee and impact. Spelt as the specification spells it. */
      amount_out_orginal: decimalText,
      /** A fraction: 0.03 is 3 %. */
      price_impact: decimalText,
      /** In the asset sold. */
      fee: decimalText,
      /** The mid price before the trade. */
      price: decimalText,
      /** Time of these reserves. */
      time: timeText,
      expires_at: timeText,
    }),
    refusals: ['not_found', 'trading_suspended', 'amount_out_of_range'],
  },
  doSwap: {
    method: 'POST',
    path: '/SwapPool/doSwap',
    session: 'required',
    idempotent: true,
    summary:
      'Swaps at `min_amount_out` or better, or not at all. With `exact` = `out`, `amount` is the amount bought and `max_amount_in` the most to sell.',
    payload: z.object({
      pool_id: id,
      amount: amountText,
      inverse: zeroOrOne,
      exact: exactSide,
      /** Required with `exact` = `in`, which is the default. */
      min_amount_out: optional(amountText),
      /** Required with `exact` = `out`. */
      max_amount_in: optional(amountText),
      deadline: timeInput,
    }),
    response: z.object({
      transaction_id: z.string(),
      status: swapStatus,
      amount_in: decimalText,
      amount_out: decimalText,
      fee: decimalText,
    }),
    refusals: [
      'not_activated',
      'balance_not_enough',
      'rt_balance_not_enough',
      'trading_suspended',
      'price_moved',
      'not_found',
      'amount_out_of_range',
    ],
  },
  orders: {
    method: 'POST',
    path: '/SwapPool/orders',
    session: 'required',
    idempotent: false,
    summary: 'Lists the user’s swaps.',
    payload: z.object({ pool_id: optional(id), ...page }),
    response: listOf(
      z.object({
        transaction_id: z.string(),
        pool_id: z.string(),
        symbol: z.string(),
        inverse: z.literal([0, 1]),
        amount_in: decimalText,
        amount_out: decimalText,
        price: decimalText,
        fee: decimalText,
        status: swapStatus,
        created_at: timeText,
      }),
    ),
    refusals: [],
  },
  getOrderStatus: {
    method: 'POST',
    path: '/SwapPool/getOrderStatus',
    session: 'required',
    idempotent: false,
    asksWriter: true,
    summary:
      'The status of a swap of mine. After a lost `doSwap` response, call it with the same idempotency key. Not found means that the swap has not happened yet; a request still in flight may execute until its deadline.',
    payload: z.object({ transaction_id: optional(id), idempotency_key: optional(idempotencyKey) }),
    response: z.object({
      /** Empty if the swap was refused. */
      transaction_id: z.string(),
      status: swapStatus,
      /** The name of the refusal. */
      reason: z.optional(z.string()),
      amount_in: decimalText,
      amount_out: decimalText,
      fee: decimalText,
    }),
    refusals: ['not_found'],
  },
  swapKline: {
    method: 'POST',
    path: '/SwapPool/kline',
    cost: { rows: 1_000, requests: 3 },
    session: 'none',
    idempotent: false,
    summary: 'Candles of a pool, oldest first.',
    payload: z.object({ pool_id: id, ...candleWindow }),
    response: z.array(candle),
    refusals: ['not_found'],
  },
  swapTrades: {
    method: 'POST',
    path: '/SwapPool/trades',
    session: 'none',
    idempotent: false,
    summary: "The latest trades of a pool by all users, without the traders' identities.",
    payload: z.object({ pool_id: id, ...page }),
    response: listOf(
      z.object({
        /** Unique; does not identify the trader. */
        id: z.string(),
        time: timeText,
        /** The trader bought or sold the base asset. */
        side: z.enum(['buy', 'sell']),
        /** Price of one unit of the base asset, in the quote asset. */
        price: decimalText,
        amount_base: decimalText,
        amount_quote: decimalText,
      }),
    ),
    refusals: ['not_found'],
  },
} as const satisfies Record<string, Route>

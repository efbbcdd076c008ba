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

/** Which amount of a swap is fixed: what is sold, which is the default, or what is bought. */
const exactSide = optional(z.enum(['in', 'out']))
const swapStatus = z.enum(['pending', 'completed', 'failed'])

export const swapRoutes = {
  pairs: {
    method: 'POST',
    path: '/SwapPool/pairs',
    session: 'none',
    idempotent: false,
    summary: 'The swap pools, the default pair first. Polled every 3 s.',
    payload: nothing,
    answer: z.array(
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
        /** Why and since when: `operator`, `price_deviation`, or what stopped everything; null while it trades. */
        suspended_reason: z.nullable(z.string()),
        suspended_at: z.nullable(timeText),
        /** What `spot/ticker` calls the same pair; null where it has no spot price. */
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
      'What a swap would give now. `inverse` 0 sells the first asset of the pair, 1 the second. One that would take the pool too far from the market is refused as the swap would be.',
    payload: z.object({ pool_id: id, amount: amountText, inverse: zeroOrOne, exact: exactSide }),
    answer: z.object({
      /** What is sold: `amount`, or with `exact` = `out` the least that buys it, rounded up. */
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
      /** When the pool stood so. */
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
      'Swaps at `min_amount_out` or better, or not at all. With `exact` = `out`, `amount` is what is bought and `max_amount_in` the most that is sold.',
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
    answer: z.object({
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
    summary: 'My swaps.',
    payload: z.object({ pool_id: optional(id), ...page }),
    answer: listOf(
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
      'How a swap of mine stands. Whoever lost the answer of `doSwap` asks with the idempotency key that it sent: not found means that nothing has happened so far; a request that is still on its way may do it until its deadline.',
    payload: z.object({ transaction_id: optional(id), idempotency_key: optional(idempotencyKey) }),
    answer: z.object({
      /** Empty where the swap was refused. */
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
    session: 'none',
    idempotent: false,
    summary: 'Candles of a pool, oldest first.',
    payload: z.object({ pool_id: id, ...candleWindow }),
    answer: z.array(candle),
    refusals: ['not_found'],
  },
  swapTrades: {
    method: 'POST',
    path: '/SwapPool/trades',
    session: 'none',
    idempotent: false,
    summary: 'The latest trades of a pool by everyone, without who made them.',
    payload: z.object({ pool_id: id, ...page }),
    answer: listOf(
      z.object({
        /** Unique, says nothing of who traded. */
        id: z.string(),
        time: timeText,
        /** What the trader did with the base asset. */
        side: z.enum(['buy', 'sell']),
        /** What one of the base asset was traded for, in the quote asset. */
        price: decimalText,
        amount_base: decimalText,
        amount_quote: decimalText,
      }),
    ),
    refusals: ['not_found'],
  },
} as const satisfies Record<string, Route>

import * as z from 'zod/mini'
import {
  amountText,
  asset,
  candle,
  candleWindow,
  decimalText,
  id,
  listOf,
  nothing,
  optional,
  page,
  timeInput,
  timeText,
  zeroOrOne,
} from './fields.ts'
import type { Route } from './route.ts'

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
      }),
    ),
    refusals: [],
  },
  getQuote: {
    method: 'POST',
    path: '/SwapPool/getQuote',
    session: 'none',
    idempotent: false,
    summary: 'What a swap would give now. `inverse` 0 sells the first asset of the pair, 1 the second.',
    payload: z.object({ pool_id: id, amount: amountText, inverse: zeroOrOne }),
    answer: z.object({
      /** Net of fee, rounded down. */
      amount_out: decimalText,
      /** The same trade at the mid price, without fee and impact. Spelt as the specification spells it. */
      amount_out_orginal: decimalText,
      /** A fraction: 0.03 is 3 %. */
      price_impact: decimalText,
      /** In the asset sold. */
      fee: decimalText,
      price: decimalText,
      expires_at: timeText,
    }),
    refusals: ['not_found', 'trading_suspended', 'amount_out_of_range'],
  },
  doSwap: {
    method: 'POST',
    path: '/SwapPool/doSwap',
    session: 'required',
    idempotent: true,
    summary: 'Swaps at `min_amount_out` or better, or not at all.',
    payload: z.object({
      pool_id: id,
      amount: amountText,
      inverse: zeroOrOne,
      min_amount_out: amountText,
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
    summary: 'How a swap of mine stands.',
    payload: z.object({ transaction_id: id }),
    answer: z.object({
      transaction_id: z.string(),
      status: swapStatus,
      reason: z.optional(z.string()),
      amount_out: decimalText,
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
} as const satisfies Record<string, Route>

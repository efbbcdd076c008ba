import * as z from 'zod/mini'
import {
  amountText,
  asset,
  decimalText,
  listOf,
  nothing,
  optional,
  page,
  timeInput,
  timeText,
  transactionHash,
} from './fields.ts'
import type { Route } from './route.ts'

export const walletRoutes = {
  balances: {
    method: 'POST',
    path: '/Wallet/balances',
    session: 'required',
    idempotent: false,
    summary: 'My balances, asset by asset and place by place.',
    payload: nothing,
    answer: z.array(
      z.object({
        asset,
        available: decimalText,
        locked: decimalText,
        pledged: decimalText,
        collateral: decimalText,
        total: decimalText,
        /** null while there is no price. */
        value_usdt: z.nullable(decimalText),
      }),
    ),
    refusals: [],
  },
  logs: {
    method: 'POST',
    path: '/Wallet/logs',
    session: 'required',
    idempotent: false,
    summary: 'Every ledger entry that touched my balances.',
    payload: z.object({
      asset: optional(asset),
      kind: optional(z.string().check(z.regex(/^[a-z_]{1,40}$/, 'not a kind'))),
      from: optional(timeInput),
      to: optional(timeInput),
      ...page,
    }),
    answer: listOf(
      z.object({
        id: z.string(),
        kind: z.string(),
        asset,
        /** Negative where money left. */
        amount: decimalText,
        balance_after: decimalText,
        reference: z.string(),
        created_at: timeText,
      }),
    ),
    refusals: [],
  },
  buy: {
    method: 'POST',
    path: '/Wallet/buy',
    session: 'required',
    idempotent: true,
    summary: 'Transfer in: an order, and the call to the vault that pays it.',
    payload: z.object({ asset, amount: amountText }),
    answer: z.object({
      /** 32 bytes as hex: the order id that `deposit` takes. */
      order_id: z.string(),
      to: z.string(),
      asset,
      amount: decimalText,
      calldata: z.string(),
      /** What to send in the native coin, in its base units. */
      value: z.string(),
      expires_at: timeText,
    }),
    refusals: ['amount_out_of_range'],
  },
  buyOrders: {
    method: 'POST',
    path: '/Wallet/buyOrders',
    session: 'required',
    idempotent: false,
    summary: 'My transfers in.',
    payload: z.object(page),
    answer: listOf(
      z.object({
        order_id: z.string(),
        asset,
        amount: decimalText,
        credited: decimalText,
        tx_hash: z.nullable(z.string()),
        confirmations: z.int(),
        required: z.int(),
        status: z.enum(['created', 'seen', 'credited', 'expired']),
        created_at: timeText,
      }),
    ),
    refusals: [],
  },
  retrieve: {
    method: 'POST',
    path: '/Wallet/retrieve',
    session: 'required',
    idempotent: true,
    summary: 'Looks a transaction up on the chain and credits what was missed, once, to its sender.',
    payload: z.object({ tx_hash: transactionHash }),
    answer: z.object({
      status: z.enum(['credited', 'pending', 'already', 'not_found']),
      /** Why, where the status alone does not say it. */
      reason: z.optional(z.enum(['not_ours', 'failed_on_chain', 'sender_credited'])),
      confirmations: z.int(),
      required: z.int(),
      items: z.array(z.object({ asset, amount: decimalText, mine: z.boolean() })),
    }),
    refusals: [],
  },
} as const satisfies Record<string, Route>

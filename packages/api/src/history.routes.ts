import * as z from 'zod/mini'
import { ENTRY_KINDS } from './entry-kinds.ts'
import { asset, decimalText, listOf, optional, page, timeInput, timeText } from './fields.ts'
import type { Route } from './route.ts'

const logFilter = {
  asset: optional(asset),
  /** Any name that a kind can have: one that this server does not know finds nothing. */
  kind: optional(z.string().check(z.regex(/^[a-z_]{1,40}$/, 'not a kind'))),
  /** From this moment on. */
  from: optional(timeInput),
  /** Before this moment. */
  to: optional(timeInput),
}

/** What is mine or became of it: entries, value over time, transactions on the chain. */
export const historyRoutes = {
  logs: {
    method: 'POST',
    path: '/Wallet/logs',
    session: 'required',
    idempotent: false,
    summary: 'Every ledger entry that touched my balances.',
    payload: z.object({
      ...logFilter,
      ...page,
    }),
    answer: listOf(
      z.object({
        id: z.string(),
        kind: z.enum(ENTRY_KINDS),
        /** Which of my accounts it touched; `balance_after` is that account's. */
        place: z.enum(['available', 'locked', 'collateral', 'rt_deposit']),
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
  logsCsv: {
    method: 'GET',
    path: '/Wallet/logs.csv',
    session: 'required',
    idempotent: false,
    answersFile: true,
    summary: 'Every entry of mine that the filter lets through, as a file; oldest first.',
    payload: z.object(logFilter),
    answer: z.string(),
    refusals: [],
  },
  summary: {
    method: 'POST',
    path: '/Wallet/summary',
    session: 'required',
    idempotent: false,
    summary: 'What all of mine is worth: by asset, by place, and over time.',
    payload: z.object({ period: optional(z.enum(['day', 'week', 'month', 'year'])) }),
    answer: z.object({
      /** null while an asset that is held has no price. */
      total_usdt: z.nullable(decimalText),
      by_asset: z.array(z.object({ asset, amount: decimalText, value_usdt: z.nullable(decimalText) })),
      by_place: z.array(
        z.object({
          place: z.enum(['available', 'locked', 'pledged', 'collateral', 'rt_deposit']),
          value_usdt: z.nullable(decimalText),
        }),
      ),
      /** Oldest first, the last one now. Amounts of then at prices of then. */
      history: z.array(z.object({ time: timeText, value_usdt: z.nullable(decimalText) })),
    }),
    refusals: [],
  },
  transactions: {
    method: 'POST',
    path: '/Wallet/transactions',
    session: 'required',
    idempotent: false,
    summary: 'Everything of mine on the chain.',
    payload: z.object(page),
    answer: listOf(
      z.object({
        kind: z.enum(['transfer_in', 'activation', 'transfer_out']),
        asset,
        amount: decimalText,
        tx_hash: z.string(),
        /** null where the operator's chain has no explorer. */
        explorer_url: z.nullable(z.string()),
        status: z.enum(['pending', 'confirmed']),
        confirmations: z.int(),
        required: z.int(),
        order_id: z.nullable(z.string()),
        created_at: timeText,
      }),
    ),
    refusals: [],
  },
} as const satisfies Record<string, Route>

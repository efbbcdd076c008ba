import * as z from 'zod/mini'
import { asset, decimalText, entriesOf, listOf, optional, page, timeInput, timeText } from './fields.ts'
import { ENTRY_KINDS } from './parts.ts'
import type { Route } from './route.ts'

/** More than there are kinds. */
const MAX_KINDS = 40

/** At least 4 hexadecimal digits of a hash, or a plain decimal amount. */
const searchText = z
  .string()
  .check(z.regex(/^(0x[0-9a-fA-F]{4,64}|(0|[1-9]\d{0,29})(\.\d{1,18})?)$/, 'not a hash or an amount'))

const entryKind = z.enum(ENTRY_KINDS, 'not a kind of entry')

/** Kinds of the operator's actions about one account. `other`: an action that this list does not name. */
export const ACT_KINDS = [
  'view_account',
  'freeze_account',
  'unfreeze_account',
  'revoke_sessions',
  'release_uid',
  'other',
] as const

const logFilter = {
  asset: optional(asset),
  kind: optional(entryKind),
  /** Entries of any of these kinds. Together with `kind`, both apply. */
  kinds: optional(z.array(entryKind).check(z.minLength(1), z.maxLength(MAX_KINDS))),
  /** The beginning of a transaction hash or order id, or of an amount: `12.34` finds each entry with a part in or out from 12.34 to below 12.35. */
  search: optional(searchText),
  /** Included. */
  from: optional(timeInput),
  /** Excluded. */
  to: optional(timeInput),
}

/** A user's history: entries, value over time, transactions on the chain, and what the operator did about the account. */
export const historyRoutes = {
  logs: {
    method: 'POST',
    path: '/Wallet/logs',
    cost: { rows: 2_000, requests: 3 },
    session: 'required',
    idempotent: false,
    summary: 'Lists every ledger entry that changed the user’s balances.',
    payload: z.object({
      ...logFilter,
      ...page,
    }),
    response: entriesOf(
      z.object({
        id: z.string(),
        kind: z.enum(ENTRY_KINDS),
        /** The account of mine that changed; `balance_after` is its balance. */
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
    cost: { rows: 1_000, requests: 30 },
    session: 'required',
    idempotent: false,
    returnsFile: true,
    summary: 'Returns the user’s entries that match the filter as a file, oldest first.',
    payload: z.object(logFilter),
    response: z.string(),
    refusals: [],
  },
  summary: {
    method: 'POST',
    path: '/Wallet/summary',
    cost: { rows: 6_000, requests: 10 },
    session: 'required',
    idempotent: false,
    summary: 'Returns the value of the user’s assets: by asset, by place, and over time.',
    payload: z.object({ period: optional(z.enum(['day', 'week', 'month', 'year'])) }),
    response: z.object({
      /** All that I hold, pledged or as collateral too; debts are not taken off. null while an asset has no price. */
      total_usdt: z.nullable(decimalText),
      /** My debts with their interest. null while an asset that I owe has no price. */
      owed_usdt: z.nullable(decimalText),
      /** `total_usdt` less `owed_usdt`. Below zero while I owe more than I hold. */
      net_usdt: z.nullable(decimalText),
      by_asset: z.array(z.object({ asset, amount: decimalText, value_usdt: z.nullable(decimalText) })),
      by_place: z.array(
        z.object({
          place: z.enum(['available', 'locked', 'pledged', 'collateral', 'rt_deposit']),
          value_usdt: z.nullable(decimalText),
        }),
      ),
      /** Oldest first, the last one now. Each uses the amounts and prices of its time. `net_usdt`: less the debts of that time. */
      history: z.array(
        z.object({ time: timeText, value_usdt: z.nullable(decimalText), net_usdt: z.nullable(decimalText) }),
      ),
      /**
       * The change over the history, apart from transfers. `start_net_usdt` + `transferred_in_usdt` − `transferred_out_usdt` −
       * `activation_usdt` + `change_usdt` is `net_usdt`. The same sum from `start_usdt`, with `borrowed_usdt`, is `total_usdt`.
       * Each flow uses the price of its hour, as the history does. null while a price is missing.
       */
      performance: z.nullable(
        z.object({
          /** The first time of the history with a value. */
          since: timeText,
          start_usdt: decimalText,
          /** `start_usdt` less the debts of that time. */
          start_net_usdt: decimalText,
          transferred_in_usdt: decimalText,
          transferred_out_usdt: decimalText,
          /** The fee for activating the account. */
          activation_usdt: decimalText,
          /** The debts now less those at the start: below zero if more was repaid or liquidated. */
          borrowed_usdt: decimalText,
          /** The change by prices, swaps, interest, liquidations and rewards. */
          change_usdt: decimalText,
          /** A fraction of the net start and the transfers in, cut toward zero. null where they are not above zero. */
          change: z.nullable(decimalText),
        }),
      ),
    }),
    refusals: [],
  },
  transactions: {
    method: 'POST',
    path: '/Wallet/transactions',
    session: 'required',
    idempotent: false,
    asksChain: 'sometimes',
    summary: 'Lists the user’s transactions on the chain.',
    payload: z.object(page),
    response: listOf(
      z.object({
        kind: z.enum(['transfer_in', 'activation', 'transfer_out']),
        asset,
        amount: decimalText,
        tx_hash: z.string(),
        /** null if the operator's chain has no explorer. */
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
  acts: {
    method: 'POST',
    path: '/profile/acts',
    session: 'required',
    idempotent: false,
    summary: 'Lists what the operator looked at and changed in the user’s account, newest first.',
    payload: z.object(page),
    response: listOf(
      z.object({
        id: z.string(),
        kind: z.enum(ACT_KINDS),
        /** The role in which it was done. */
        role: z.enum(['viewer', 'support', 'risk', 'treasurer', 'owner']),
        /** How many persons signed it. */
        persons: z.int(),
        /** In the operator's words. */
        reason: z.string(),
        created_at: timeText,
      }),
    ),
    refusals: [],
  },
} as const satisfies Record<string, Route>

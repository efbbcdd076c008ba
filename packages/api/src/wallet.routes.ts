import * as z from 'zod/mini'
import { amountText, asset, decimalText, listOf, nothing, page, timeText, transactionHash } from './fields.ts'
import { headerFields } from './proof.routes.ts'
import type { Route } from './route.ts'

/** A transfer out, with everything that a wallet needs to submit it from any device until it expires. */
const withdrawalOrder = z.object({
  order_id: z.string(),
  asset,
  amount: decimalText,
  /**
   * `locked`: not signed yet. `signed`: the voucher can be submitted. `submitted`: paid on the chain, not confirmed yet.
   * `expired`: not submitted in time; the amount is available again. `cancelled`: by its user, while it was locked; the same.
   */
  status: z.enum(['locked', 'signed', 'submitted', 'completed', 'expired', 'cancelled']),
  /** False while the order is `locked`: in a vault with exits, no header with both signatures holds its amount yet. */
  signed: z.boolean(),
  /** Names the step that an unsigned order waits for; absent where only the signer is missing. */
  waits_for: z.optional(z.enum(['second_signature'])),
  /** Arguments of the vault's `withdraw`, amounts in the token's own base units. null before it is signed. */
  voucher: z.nullable(
    z.object({
      account: z.string(),
      /** The token's contract; the zero address for the native coin. */
      asset: z.string(),
      amount: z.string(),
      nonce: z.string(),
      /** Last block timestamp at which it pays, in seconds. */
      deadline: z.string(),
      /** In a vault with exits: the number of the header that holds the order's amount. */
      root: z.optional(z.string()),
    }),
  ),
  /** In a vault with exits: the header of the call, which is that of the voucher or a later one, and its two signatures. */
  header: z.optional(headerFields),
  header_signatures: z.optional(z.object({ root: z.string(), bookkeeper: z.string() })),
  signature: z.nullable(z.string()),
  /** The vault. */
  to: z.string(),
  calldata: z.nullable(z.string()),
  tx_hash: z.nullable(z.string()),
  confirmations: z.int(),
  required: z.int(),
  expires_at: timeText,
  created_at: timeText,
  /** When it was paid, cancelled, or its amount returned; absent before. */
  ended_at: z.optional(timeText),
})

export const walletRoutes = {
  balances: {
    method: 'POST',
    path: '/Wallet/balances',
    session: 'required',
    idempotent: false,
    summary: 'Returns the user’s balances by asset and state.',
    payload: nothing,
    response: z.array(
      z.object({
        asset,
        available: decimalText,
        locked: decimalText,
        pledged: decimalText,
        collateral: decimalText,
        total: decimalText,
        /** null while the asset has no price. */
        value_usdt: z.nullable(decimalText),
        /** My debts in this asset with their interest. */
        owed: decimalText,
        /** Rounded up. null while the asset has no price. */
        owed_usdt: z.nullable(decimalText),
      }),
    ),
    refusals: [],
  },
  buy: {
    method: 'POST',
    path: '/Wallet/buy',
    worksFrozen: true,
    session: 'required',
    idempotent: true,
    isHarmless: true,
    summary: 'Creates a transfer in: an order, and the vault call that pays it.',
    payload: z.object({ asset, amount: amountText }),
    response: z.object({
      /** 32 bytes as hex: the order id that `deposit` takes. */
      order_id: z.string(),
      to: z.string(),
      asset,
      amount: decimalText,
      calldata: z.string(),
      /** Native coin to send, in its base units. */
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
    summary: 'Lists the user’s transfers in.',
    payload: z.object(page),
    response: listOf(
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
  sell: {
    method: 'POST',
    path: '/Wallet/sell',
    session: 'required',
    idempotent: true,
    asksChain: 'always',
    summary: 'Creates a transfer out: locks the amount and returns the voucher that the wallet submits to the vault.',
    payload: z.object({ asset, amount: amountText }),
    response: withdrawalOrder,
    refusals: ['amount_out_of_range', 'balance_not_enough', 'trading_suspended'],
  },
  sellOrders: {
    method: 'POST',
    path: '/Wallet/sellOrders',
    session: 'required',
    idempotent: false,
    asksChain: 'sometimes',
    summary: 'Lists the user’s transfers out, with the vouchers of those that can still be submitted.',
    payload: z.object(page),
    response: listOf(withdrawalOrder),
    refusals: [],
  },
  cancelSell: {
    method: 'POST',
    path: '/Wallet/cancelSell',
    session: 'required',
    idempotent: true,
    isHarmless: true,
    summary: 'Cancels a transfer out that has no voucher yet, and returns its amount.',
    payload: z.object({ order_id: z.string().check(z.regex(/^[0-9a-f]{32}$/)) }),
    response: withdrawalOrder,
    refusals: ['not_found', 'conflict'],
  },
  sellLimits: {
    method: 'POST',
    path: '/Wallet/sellLimits',
    session: 'required',
    idempotent: false,
    summary: 'Returns what the daily limits let the user transfer out now, for each asset that can be transferred out.',
    payload: nothing,
    response: z.array(
      z.object({
        asset,
        /** The lower of what is left of my own limit and of the limit of all accounts, even if I hold less. */
        available_today: decimalText,
        /** The limit that leaves less: my own, or the one of all accounts together. */
        limited_by: z.enum(['account', 'all_accounts']),
        /** The latest time at which that limit leaves more. null while none of it is used. */
        more_at: z.nullable(timeText),
      }),
    ),
    refusals: [],
  },
  retrieve: {
    method: 'POST',
    path: '/Wallet/retrieve',
    worksFrozen: true,
    session: 'required',
    idempotent: true,
    isHarmless: true,
    asksChain: 'always',
    summary: 'Looks a transaction up on the chain and credits a missed deposit, once, to its sender.',
    payload: z.object({ tx_hash: transactionHash }),
    response: z.object({
      status: z.enum(['credited', 'pending', 'already', 'not_found']),
      /** Reason, if the status needs one. */
      reason: z.optional(z.enum(['not_ours', 'failed_on_chain', 'sender_credited'])),
      confirmations: z.int(),
      required: z.int(),
      items: z.array(z.object({ asset, amount: decimalText, mine: z.boolean() })),
    }),
    refusals: [],
  },
} as const satisfies Record<string, Route>

import * as z from 'zod/mini'
import { asset, decimalText, nothing, optional, termsVersion, timeText, transactionHash } from './fields.ts'
import type { Route } from './route.ts'

/** Payment instructions: the amount, and the vault call that pays it. */
const activationOrder = z.object({
  /** 32 bytes as hex: the order id that `deposit` takes. */
  order_id: z.string(),
  /** The vault. */
  to: z.string(),
  asset,
  /** Amount still to be paid; for a paid order, the amount it asked for. */
  amount: decimalText,
  /** Sum of the payments received so far; absent if there is none. */
  credited: z.optional(decimalText),
  /** `seen` once the payment is on the chain but not yet confirmed. */
  status: z.enum(['created', 'seen', 'credited']),
  calldata: z.string(),
  value: decimalText,
  tx_hash: z.nullable(z.string()),
  confirmations: z.int(),
  required: z.int(),
})

export const activationRoutes = {
  getActiveStatus: {
    method: 'POST',
    path: '/SwapPool/getActiveStatus',
    session: 'required',
    idempotent: false,
    summary: 'Returns whether the account is inactive (0), pending (1) or activated (2). Polled every 4 s.',
    payload: nothing,
    response: z.object({
      status: z.literal([0, 1, 2]),
      price: decimalText,
      asset,
      order: z.optional(activationOrder),
      /** When activation opens next; absent while it is open. */
      opens_at: z.optional(timeText),
    }),
    refusals: [],
  },
  active: {
    method: 'POST',
    path: '/SwapPool/active',
    session: 'required',
    idempotent: true,
    isHarmless: true,
    asksChain: 'always',
    summary:
      'Returns the payment that activates by wallet. With a transaction hash, looks that payment up immediately.',
    payload: z.object({
      tx_hash: optional(transactionHash),
      /** The version of the operator's terms that the user accepts. It is stored with the time. */
      terms_version: optional(termsVersion),
    }),
    response: activationOrder,
    refusals: ['not_open', 'conflict'],
  },
  activeByBalance: {
    method: 'POST',
    path: '/SwapPool/activeByBalance',
    session: 'required',
    idempotent: true,
    summary: 'Activates immediately, paid from the available balance.',
    payload: z.object({
      /** The version of the operator's terms that the user accepts. It is stored with the time, also for an activated account. */
      terms_version: optional(termsVersion),
    }),
    response: z.object({ status: z.literal([0, 1, 2]) }),
    refusals: ['not_open', 'balance_not_enough', 'conflict', 'trading_suspended'],
  },
} as const satisfies Record<string, Route>

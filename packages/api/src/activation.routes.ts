import * as z from 'zod/mini'
import { asset, decimalText, nothing, optional, timeText, transactionHash } from './fields.ts'
import type { Route } from './route.ts'

/** What to pay, and the call to the vault that pays it. */
const activationOrder = z.object({
  /** 32 bytes as hex: the order id that `deposit` takes. */
  order_id: z.string(),
  /** The vault. */
  to: z.string(),
  asset,
  /** What is still to be paid; of an order that is paid, what it asked for. */
  amount: decimalText,
  /** What has come in for it so far, where anything has: payments add up. */
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
    summary: 'Whether the account is inactive (0), pending (1) or activated (2). Polled every 4 s.',
    payload: nothing,
    answer: z.object({
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
    summary: 'Activation by wallet: what to pay. With a transaction hash: that payment is looked up now.',
    payload: z.object({ tx_hash: optional(transactionHash) }),
    answer: activationOrder,
    refusals: ['not_open', 'conflict'],
  },
  activeByBalance: {
    method: 'POST',
    path: '/SwapPool/activeByBalance',
    session: 'required',
    idempotent: true,
    summary: 'Activation paid from the available balance, at once.',
    payload: nothing,
    answer: z.object({ status: z.literal([0, 1, 2]) }),
    refusals: ['not_open', 'balance_not_enough'],
  },
} as const satisfies Record<string, Route>

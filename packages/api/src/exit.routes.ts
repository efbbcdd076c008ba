import * as z from 'zod/mini'
import { asset, decimalText, listOf, nothing, page, timeText } from './fields.ts'
import type { Route } from './route.ts'

/** `none`: no exit is open. `ready`: the vault pays. `cancelling`: the cancel is not confirmed yet. */
const EXIT_STEPS = ['none', 'requested', 'open', 'ready', 'cancelling'] as const

/** Acts that the owner can do meanwhile. The first three are commands of the app, the others calls of the vault. */
const EXIT_ALLOWED = ['repay', 'add_collateral', 'cancel_transfer_out', 'cancel_exit', 'finish_exit'] as const

/**
 * `waiting`: the vault does not pay yet. `ready`: it pays. `overdue`: a day later the exit has not ended. `paid`: it ended after a payment.
 * `unpaid`: it ended without one.
 */
const CANARY_STATES = ['waiting', 'ready', 'overdue', 'paid', 'unpaid'] as const

/** A whole number as text: an amount in base units. */
const wholeText = z.string()

const postedRoot = z.object({ number: wholeText, posted_at: timeText, tx_hash: z.string() })

export const exitRoutes = {
  proofExit: {
    method: 'POST',
    path: '/proof/exit',
    session: 'required',
    idempotent: false,
    summary: 'Returns the state of the user’s exit from the vault, with what still works and what comes next.',
    payload: nothing,
    response: z.object({
      state: z.enum(EXIT_STEPS),
      /** The vault of the open exit. After a move it can be an earlier vault than that of `/config`. null without an open exit. */
      vault: z.nullable(z.string()),
      /** The time of the request, by its block. null without an open exit, as the next two. */
      requested_at: z.nullable(timeText),
      /** The last root that is posted until then decides the exit. */
      base_at: z.nullable(timeText),
      /** Repaying and adding collateral work until then. */
      repay_until: z.nullable(timeText),
      /** The vault pays from then on. */
      ready_at: z.nullable(timeText),
      /** Empty without an open exit: then everything works. */
      allowed: z.array(z.enum(EXIT_ALLOWED)),
      /** The next step, with its time where that is known. */
      next: z.nullable(
        z.object({
          what: z.enum(['confirmation', 'end_of_repaying', 'base', 'ready', 'finish_exit', 'reopening']),
          at: z.nullable(timeText),
        }),
      ),
      /** Payments of the vault, the newest first: at most 20. */
      paid: z.array(
        z.object({ asset, amount: decimalText, receiver: z.string(), tx_hash: z.string(), booked_at: timeText }),
      ),
      /** Advances for payments that were higher than the account’s balance. They are taken back from what the account gets. */
      owed: z.array(z.object({ asset, amount: decimalText })),
    }),
    refusals: ['not_found'],
  },
  proofClaims: {
    method: 'POST',
    path: '/proof/exit/claims',
    cost: { rows: 300, requests: 10 },
    session: 'required',
    idempotent: false,
    summary:
      'Returns what the vault pays the user for an exit that is ready, and the arguments of `finishExit` for each asset: header, roots, leaf and path.',
    payload: nothing,
    response: z.object({
      /** The vault that pays: that of the exit. */
      vault: z.string(),
      /** The last root that was posted until `base_at`: it decides the exit. */
      base: postedRoot,
      /** `ExitProof.base` of the vault: the base, and the root of the account’s last exit where the base does not know its payment. */
      roots: z.array(z.object({ header: z.string(), posted_at: z.int(), seq: z.int() })),
      /** `ExitProof.next`: zeros without a later root. */
      next: z.object({ header_hash: z.string(), posted_at: z.int(), seq: z.int() }),
      /** One for each asset with something to pay. */
      claims: z.array(
        z.object({
          asset,
          /** Paid by the counters of the watcher’s block. */
          amount: decimalText,
          token: z.string(),
          /** Of the asset in the header. */
          index: z.int(),
          leaf: z.object({ salt: z.string(), free: wholeText, deposited_seen: wholeText, paid_seen: wholeText }),
          place: z.int(),
          /** From the leaf to the top. Empty where the account’s first deposit of the asset is later than the base. */
          path: z.array(z.object({ hash: z.string(), sum: wholeText })),
        }),
      ),
    }),
    refusals: ['not_found'],
  },
  proofCanary: {
    method: 'POST',
    path: '/proof/canary',
    session: 'none',
    idempotent: false,
    summary:
      'Returns the exits of the canary, newest first: an account that leaves again and again without the server. Everything is from the vault’s events.',
    payload: z.object(page),
    response: listOf(
      z.object({
        state: z.enum(CANARY_STATES),
        /** The time of the request, by its block. */
        requested_at: timeText,
        /** The vault pays from then on. */
        ready_at: timeText,
        request_tx: z.string(),
        /** When the cancel that reopened the account was booked. null: the exit is open. */
        ended_at: z.nullable(timeText),
        /** Payments of the vault for this exit, the first one first: at most 20. */
        paid: z.array(z.object({ asset, amount: decimalText, tx_hash: z.string(), booked_at: timeText })),
      }),
    ),
    refusals: ['not_found', 'invalid_input'],
  },
} as const satisfies Record<string, Route>

import * as z from 'zod/mini'
import {
  amountText,
  decimalText,
  id,
  listOf,
  optional,
  page,
  timeInput,
  timeText,
  wholeNumber,
  zeroOrOne,
} from './fields.ts'
import type { Route } from './route.ts'

export const PLAN_STATUSES = ['active', 'paused', 'done', 'cancelled', 'expired', 'ended'] as const
/** Why a scheduled run was not made. `slippage`: its output would have been below the least; `price_deviation`: it would have
 * moved the pool out of its band; `suspended`: the pool or all trading is stopped; `price_unknown`: no fresh spot price. */
export const PLAN_SKIP_REASONS = [
  'balance',
  'suspended',
  'price_unknown',
  'price_deviation',
  'slippage',
  'not_activated',
] as const
/** Why a plan is paused or has ended. `three_skipped`: three runs in a row were skipped. `balance`: a limit's price came
 * without its balance. `date`: its end date has passed. */
export const PLAN_REASONS = ['user', 'three_skipped', 'balance', 'not_activated', 'date', 'freeze', 'exit'] as const

const kind = z.enum(['limit', 'schedule'])
const every = z.enum(['day', 'week', 'month'])
const status = z.enum(PLAN_STATUSES)

const plan = z.object({
  plan_id: z.string(),
  kind,
  pool_id: z.string(),
  /** `BNBUSDT`, as in `pairs`. */
  symbol: z.string(),
  inverse: z.literal([0, 1]),
  /** Of the asset sold, each run. */
  amount: decimalText,
  /** Price of a limit, in the quote asset for one of the base asset; null for a schedule. */
  price: z.nullable(decimalText),
  /** Null for a limit, as are `hour` and `slippage`. */
  every: z.nullable(every),
  /** 0 to 23, Hong Kong time. */
  hour: z.nullable(z.int()),
  /** A fraction: 0.005 is half a percent. */
  slippage: z.nullable(decimalText),
  status,
  /** Why it is paused or has ended; null while it is active, and after it was made. */
  reason: z.nullable(z.enum(PLAN_REASONS)),
  /** Start of the hour of a schedule's next run; the moment within the hour is secret. Null without a next run. */
  next_at: z.nullable(timeText),
  /** Time of the last run that was made or skipped. */
  last_run: z.nullable(timeText),
  /** A schedule's runs that were skipped since the last one that was made. */
  skipped: z.int(),
  ends_at: z.nullable(timeText),
  created_at: timeText,
})

const planId = z.object({ plan_id: id })

/** Planned swaps: limits, which wait for a price, and schedules, which repeat at an hour. Only their owner sees them. */
export const planRoutes = {
  plans: {
    method: 'POST',
    path: '/Plan/list',
    session: 'required',
    idempotent: false,
    summary: 'Lists the user’s planned swaps, in every state, or those of one status.',
    payload: z.object({ status: optional(status), ...page }),
    response: listOf(plan),
    refusals: [],
  },
  planRuns: {
    method: 'POST',
    path: '/Plan/runs',
    session: 'required',
    idempotent: false,
    summary: 'Lists the runs of a planned swap: those that were made, and those that were skipped, with the reason.',
    payload: z.object({ plan_id: id, ...page }),
    response: listOf(
      z.object({
        run_at: timeText,
        /** The day that it counts for, in Hong Kong: each day once. */
        date: z.string(),
        status: z.enum(['made', 'skipped']),
        reason: z.nullable(z.enum(PLAN_SKIP_REASONS)),
        /** The swap, as in `orders`; null if skipped. */
        transaction_id: z.nullable(z.string()),
        /** Of a skipped run: the amount that it would have sold, and zero. */
        amount_in: decimalText,
        amount_out: decimalText,
      }),
    ),
    refusals: ['not_found'],
  },
  createPlan: {
    method: 'POST',
    path: '/Plan/create',
    session: 'required',
    idempotent: true,
    summary:
      'Plans a swap: a limit at `price` or better until `ends_at`, or a schedule within an hour of the day, in Hong Kong time. Nothing is locked.',
    payload: z.object({
      pool_id: id,
      inverse: zeroOrOne,
      /** Of the asset sold, each run. */
      amount: amountText,
      kind,
      /** Required for a limit: the quote asset for one of the base asset. */
      price: optional(amountText),
      /** Required for a schedule, as is `hour`. */
      every: optional(every),
      hour: optional(wholeNumber(0, 23)),
      /** Of a schedule: its Hong Kong day is the first day of the runs, and gives their day of the week or month. */
      starts_at: optional(timeInput),
      /** Required for a limit. A schedule has no run whose hour begins later. */
      ends_at: optional(timeInput),
      /** Of a schedule: a fraction, 0.005 by default. */
      slippage: optional(amountText),
    }),
    response: plan,
    refusals: ['not_activated', 'not_found', 'amount_out_of_range', 'price_out_of_date', 'too_many_open'],
  },
  pausePlan: {
    method: 'POST',
    path: '/Plan/pause',
    session: 'required',
    idempotent: true,
    summary: 'Pauses a planned swap.',
    payload: planId,
    response: plan,
    refusals: ['not_found', 'conflict'],
  },
  resumePlan: {
    method: 'POST',
    path: '/Plan/resume',
    session: 'required',
    idempotent: true,
    summary: 'Resumes a paused planned swap. Runs that it missed are not made.',
    payload: planId,
    response: plan,
    refusals: ['not_found', 'conflict', 'amount_out_of_range'],
  },
  cancelPlan: {
    method: 'POST',
    path: '/Plan/cancel',
    worksFrozen: true,
    session: 'required',
    idempotent: true,
    summary: 'Cancels an active or paused planned swap for good.',
    payload: planId,
    response: plan,
    refusals: ['not_found', 'conflict'],
  },
} as const satisfies Record<string, Route>

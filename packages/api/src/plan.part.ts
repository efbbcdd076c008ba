import * as z from 'zod/mini'
import { asset, decimalText } from './fields.ts'
import { definePart } from './part.ts'
import { PLAN_REASONS, PLAN_SKIP_REASONS, planRoutes } from './plan.routes.ts'

const plan = { plan_id: z.string(), kind: z.enum(['limit', 'schedule']), symbol: z.string() }

export const planPart = definePart({
  routes: planRoutes,
  notices: {
    /** A planned swap was made. */
    plan_made: z.object({
      ...plan,
      sold: asset,
      amount_in: decimalText,
      bought: asset,
      amount_out: decimalText,
      transaction_id: z.string(),
    }),
    /** A run of a schedule was not made. `skipped`: how many in a row. */
    plan_skipped: z.object({
      ...plan,
      sold: asset,
      amount_in: decimalText,
      reason: z.enum(PLAN_SKIP_REASONS),
      skipped: z.int(),
    }),
    /** A schedule is paused after three skipped runs. `last_reason`: of the third. */
    plan_paused: z.object({ ...plan, reason: z.enum(PLAN_REASONS), last_reason: z.enum(PLAN_SKIP_REASONS) }),
    /** A plan has ended, though not by its owner: a limit that lacked balance, an end date, a freeze or an exit. */
    plan_ended: z.object({ ...plan, sold: asset, amount_in: decimalText, reason: z.enum(PLAN_REASONS) }),
  },
  config: {
    /** The rules of planned swaps. */
    plans: z.object({
      /** The least worth of a run, in USDT. */
      least_usdt: decimalText,
      /** Active and paused ones of an account. */
      max_open: z.int(),
      /** Fractions: 0.005 is half a percent. */
      slippage: decimalText,
      max_slippage: decimalText,
      /** A schedule pauses after so many skipped runs in a row. */
      max_skipped: z.int(),
      /** How many days ahead a limit may end. */
      limit_days: z.int(),
    }),
  },
})

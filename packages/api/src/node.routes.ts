import * as z from 'zod/mini'
import { amounts, boxItem, poolItem } from './blind-box.routes.ts'
import { decimalText, nothing, optional, page, timeInput, timeText } from './fields.ts'
import type { Route } from './route.ts'

const day = z.string()

/** By the day of the box. */
const range = {
  /** Included. */
  from: optional(timeInput),
  /** Excluded. */
  to: optional(timeInput),
}

/** My node: level, power and income of the blind boxes. */
export const nodeRoutes = {
  nodeOverview: {
    method: 'POST',
    path: '/Node/overview',
    session: 'required',
    idempotent: false,
    summary: 'Returns the user’s node: level, power, streak, today’s pool and income, and the rewards to claim.',
    payload: nothing,
    response: z.object({
      activated: z.boolean(),
      level: z.int(),
      level_factor: decimalText,
      streak: z.int(),
      streak_factor: decimalText,
      /** The revenue part of my swap fees in the days that count for today, in USDT. */
      fees_30_days: decimalText,
      /** The power of today's box before its draw; 0 without one. */
      my_power: decimalText,
      network_power: decimalText,
      /** `my_power` ÷ `network_power`, rounded down to 8 decimals; 0 without a box. */
      share: decimalText,
      contributors: z.int(),
      day,
      ends_at: timeText,
      clicked: z.boolean(),
      can_click: z.boolean(),
      /** When I can click next. null if I can now. */
      opens_at: z.nullable(timeText),
      /** Today's pool if the day ended now. */
      pool: z.array(poolItem),
      claimable: amounts,
      claimable_boxes: z.int(),
      claimable_until: z.nullable(timeText),
      /** My income so far: claimed rewards, by asset. */
      income: amounts,
      /** The rewards of the latest divided day, claimed or not. */
      last_income: amounts,
      last_day: z.nullable(day),
      boxes: z.int(),
    }),
    refusals: [],
  },
  nodeIncome: {
    method: 'POST',
    path: '/Node/income',
    cost: { rows: 1_600, requests: 3 },
    session: 'required',
    idempotent: false,
    summary: 'Lists the rewards of the user’s boxes, newest first, with the sums of each day.',
    payload: z.object({ ...range, ...page }),
    response: z.object({
      /** Boxes of divided days. */
      items: z.array(boxItem),
      next_cursor: z.nullable(z.string()),
      /**
       * One row for each day with a reward, oldest first: within the range, or the last 30 days. At most the last 366 days of
       * the range. An expired reward is not income and is left out.
       */
      series: z.array(z.object({ day, amounts })),
      /** The sums of the series. */
      totals: amounts,
    }),
    refusals: [],
  },
  nodeIncomeCsv: {
    method: 'GET',
    path: '/Node/income.csv',
    cost: { rows: 1_000, requests: 30 },
    session: 'required',
    idempotent: false,
    returnsFile: true,
    summary: 'Returns the rewards of the user’s boxes as a file, oldest first: one line for each asset of a box.',
    payload: z.object(range),
    response: z.string(),
    refusals: [],
  },
} as const satisfies Record<string, Route>

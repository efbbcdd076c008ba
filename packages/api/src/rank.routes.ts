import * as z from 'zod/mini'
import { decimalText, optional, timeText, wholeNumber, zeroOrOne } from './fields.ts'
import type { Route } from './route.ts'

export const rankRoutes = {
  rankList: {
    method: 'POST',
    path: '/Rank/list',
    cost: { rows: 10_100, requests: 5 },
    session: 'optional',
    idempotent: false,
    summary: 'Lists the first places of a board. With a token, also the user’s place.',
    payload: z.object({
      /** Computing power of clicked blind boxes before their draw, swap volume in USDT, or activated direct leads. */
      board: z.enum(['power', 'volume', 'leads']),
      /** The present day or week in Hong Kong, weeks from Monday, or all time. */
      period: z.enum(['day', 'week', 'all']),
      /** How many places, 20 where absent. */
      limit: optional(wholeNumber(1, 100)),
    }),
    response: z.object({
      /** Equal values: the one who reached it first is ahead. */
      items: z.array(
        z.object({
          rank: z.int(),
          /** Shortened. */
          address: z.string(),
          value: decimalText,
          is_me: z.boolean(),
        }),
      ),
      /** Only with a valid token. */
      me: z.optional(
        z.object({
          /** null without a value in this period, while I am hidden, and beyond `counted_places`. */
          rank: z.nullable(z.int()),
          value: decimalText,
          /** True if I chose not to appear on any board. */
          hidden: z.boolean(),
        }),
      ),
      /** Own places are counted up to this one; later ones are shown as "more than" it. */
      counted_places: z.int(),
      /** When the day or week ends. null for all time. */
      ends_at: z.nullable(timeText),
    }),
    refusals: [],
  },
  setRankVisibility: {
    method: 'POST',
    path: '/Rank/visibility',
    session: 'required',
    idempotent: false,
    writes: true,
    summary: 'Hides the user from every board, or shows the user again. A hidden user takes no place.',
    payload: z.object({ hidden: zeroOrOne }),
    response: z.object({ hidden: z.boolean() }),
    refusals: [],
  },
} as const satisfies Record<string, Route>

import * as z from 'zod/mini'
import { idempotencyKey, timeText } from './fields.ts'
import type { Route } from './route.ts'

/** Finds the outcome of a command whose response was lost. */
export const commandRoutes = {
  commandOutcome: {
    method: 'POST',
    path: '/Command/outcome',
    session: 'required',
    idempotent: false,
    asksWriter: true,
    // The account's stored response, and the order that it names. A key that is not stored waits for a batch of the writer.
    cost: { rows: 2, requests: 3 },
    summary:
      'The outcome of a command of mine, by its idempotency key. `unknown`: no command with this key was carried out, so it never arrived, was rejected before it reached the ledger, or is older than `retention_days`. Within that time it is safe to send the same request again with the same key.',
    payload: z.object({ idempotency_key: idempotencyKey }),
    response: z.object({
      state: z.enum(['unknown', 'pending', 'done']),
      /** The envelope of its response. null unless it is done. */
      code: z.nullable(z.int()),
      msg: z.nullable(z.string()),
      /** null for a command that changes nothing of value, such as `setAlert`. */
      data: z.unknown(),
      /** After this the key may be unknown. null unless it is done. */
      expires_at: z.nullable(timeText),
      /** Days that the response to a key is kept at least. */
      retention_days: z.int(),
      /** The server's time of this lookup. */
      time: timeText,
    }),
    refusals: [],
  },
} as const satisfies Record<string, Route>

import * as z from 'zod/mini'
import { timeText } from './fields.ts'
import { definePart } from './part.ts'
import { sessionRoutes } from './session.routes.ts'

/** Why, in the words of the operator. */
const reason = z.string()

export const sessionPart = definePart({
  routes: sessionRoutes,
  notices: {
    /** The operator froze the account, or renewed the freeze. */
    account_frozen: z.object({ reason, until: timeText }),
    /** The operator ended the freeze before its time. */
    account_unfrozen: z.object({ reason }),
    /** The operator signed the account out on every device. */
    sessions_revoked: z.object({ reason }),
  },
  pushedFacts: { account_frozen: [], account_unfrozen: [], sessions_revoked: [] },
})

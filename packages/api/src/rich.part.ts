import * as z from 'zod/mini'
import { timeText } from './fields.ts'
import { definePart } from './part.ts'
import { richRoutes } from './rich.routes.ts'

/** The moment that the notice speaks of; absent in notices of earlier versions. */
const at = z.optional(timeText)

export const richPart = definePart({
  routes: richRoutes,
  entryKinds: ['rt_deposit', 'rt_deposit_return', 'rt_take_back', 'rt_collection'],
  notices: {
    /** A request for a star level waits for the user's approval. */
    upgrade_requested: z.object({ request_id: z.string(), name: z.string(), star: z.int(), at }),
    /** The user's own request has passed. */
    upgrade_passed: z.object({ request_id: z.string(), star: z.int(), at }),
  },
  pushedFacts: { upgrade_requested: ['star'], upgrade_passed: ['star'] },
})

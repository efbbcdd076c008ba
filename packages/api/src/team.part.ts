import * as z from 'zod/mini'
import { timeText } from './fields.ts'
import { definePart } from './part.ts'
import { teamRoutes } from './team.routes.ts'

/** The moment that the notice speaks of; absent in notices of earlier versions. */
const at = z.optional(timeText)

export const teamPart = definePart({
  routes: teamRoutes,
  notices: {
    /** A direct lead was activated. `lead` is its shortened address. */
    lead_activated: z.object({ lead: z.string(), at }),
    /** The membership level rose. */
    level_up: z.object({ level: z.int(), at }),
  },
  pushedFacts: { lead_activated: [], level_up: ['level'] },
})

import * as z from 'zod/mini'
import { definePart } from './part.ts'
import { teamRoutes } from './team.routes.ts'

export const teamPart = definePart({
  routes: teamRoutes,
  notices: {
    /** A direct lead was activated. `lead` is its shortened address. */
    lead_activated: z.object({ lead: z.string() }),
    /** The membership level rose. */
    level_up: z.object({ level: z.int() }),
  },
  pushedFacts: { lead_activated: [], level_up: ['level'] },
})

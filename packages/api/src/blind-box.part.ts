import * as z from 'zod/mini'
import { blindBoxRoutes } from './blind-box.routes.ts'
import { asset, decimalText, timeText } from './fields.ts'
import { definePart } from './part.ts'

const box = {
  box_id: z.string(),
  day: z.string(),
  reward: z.array(z.object({ asset, amount: decimalText })),
  expires_at: timeText,
}

export const blindBoxPart = definePart({
  routes: blindBoxRoutes,
  entryKinds: ['box_reward'],
  notices: {
    /** The reward of a box can be claimed. */
    box_claimable: z.object(box),
    /** The reward of a box can be claimed for three more days. */
    box_expiring: z.object(box),
  },
})

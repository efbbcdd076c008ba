import * as z from 'zod/mini'
import { alertRoutes } from './alert.routes.ts'
import { decimalText } from './fields.ts'
import { definePart } from './part.ts'

export const alertPart = definePart({
  routes: alertRoutes,
  notices: {
    /** A market's price reached the price of the user's alert. */
    price_alert: z.object({
      symbol: z.string(),
      direction: z.enum(['above', 'below']),
      price: decimalText,
      /** Market price that reached the alert. */
      price_seen: decimalText,
    }),
  },
})

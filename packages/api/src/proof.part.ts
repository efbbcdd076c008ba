import * as z from 'zod/mini'
import { definePart } from './part.ts'
import { proofRoutes } from './proof.routes.ts'

export const proofPart = definePart({
  routes: proofRoutes,
  config: {
    /** The keys that sign headers, as addresses in lower case. null: this server makes no headers. */
    proof_keys: z.nullable(
      z.object({
        /** The present root key first, then those that it replaced. */
        root: z.array(z.string()),
        /** Keys of bookkeepers. Empty: no bookkeeper signs yet. */
        bookkeepers: z.array(z.string()),
      }),
    ),
  },
})

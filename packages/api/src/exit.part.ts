import * as z from 'zod/mini'
import { exitRoutes } from './exit.routes.ts'
import { definePart } from './part.ts'

export const exitPart = definePart({
  routes: exitRoutes,
  config: {
    /** Accounts can leave by the vault. */
    vault_exits: z.boolean(),
    /** An account that leaves again and again without the server, in lower case: `POST /proof/canary`. null: there is none. */
    canary: z.nullable(z.string()),
  },
  /**
   * The vault has paid the account, which leaves; a deep reorganisation has removed that payment; insurance and treasury have advanced
   * what the account lacked for it; and the account has given that back.
   */
  entryKinds: ['exit', 'exit_reversal', 'exit_advance', 'exit_advance_return'],
})

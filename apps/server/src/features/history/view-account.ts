import * as z from 'zod/mini'
import { defineOperatorAction } from '../../platform/operator/operator-action.ts'

/** Records that a person looks at an account. It changes nothing: the user sees the role and the reason. */
export const viewAccount = defineOperatorAction({
  kind: 'view_account',
  role: 'support',
  persons: 1,
  payload: z.strictObject({ address: z.string().check(z.regex(/^0x[0-9a-f]{40}$/)) }),
  decide: (_draft, _context, { address }) => ({
    isDone: true,
    account: address,
    text: `The look at ${address} is recorded, and its user sees it.`,
  }),
})

import * as z from 'zod/mini'
import { addressText, nothing, optional, timeText } from './fields.ts'
import type { Route } from './route.ts'

const user = z.object({
  id: z.string(),
  address: z.string(),
  invite_code: z.string(),
  activated: z.boolean(),
  level: z.int(),
  star: z.int(),
  created_at: timeText,
  nickname: z.string(),
  /** The inviter's shortened address, or null. */
  parent: z.nullable(z.string()),
  /** The operator's terms that the user accepted last. null: none. Absent: a server of the version before. */
  terms: z.optional(z.nullable(z.object({ version: z.string(), accepted_at: timeText }))),
  /**
   * While the operator has frozen the account: only calls that say so change something. `reason`: in the operator's words. Absent:
   * a server of the version before.
   */
  frozen: z.optional(z.nullable(z.object({ since: timeText, until: timeText, reason: z.string() }))),
})

export const sessionRoutes = {
  getNonce: {
    method: 'POST',
    path: '/DappUser/getNonce',
    session: 'none',
    idempotent: false,
    isSignIn: true,
    summary: 'Returns the complete EIP-4361 message to sign.',
    payload: z.object({ address: addressText }),
    response: z.object({ nonceStr: z.string() }),
    refusals: ['invalid_account'],
  },
  login: {
    method: 'POST',
    path: '/DappUser/login',
    session: 'none',
    idempotent: false,
    isSignIn: true,
    asksChain: 'sometimes',
    summary: 'Signs in with a signature of the message from getNonce.',
    payload: z.object({
      // An unknown code is ignored, never an error: so is one that cannot be a code.
      pid: z.catch(optional(z.string().check(z.maxLength(64))), undefined),
      address: addressText,
      signature: z.string().check(z.maxLength(16_384)),
      device_type: optional(z.string().check(z.maxLength(32))),
    }),
    response: z.object({ token: z.string(), user }),
    refusals: ['invalid_account', 'signature_failed'],
  },
  logout: {
    method: 'POST',
    path: '/DappUser/logout',
    session: 'required',
    idempotent: false,
    writes: true,
    summary: "Revokes the call's token.",
    payload: nothing,
    response: nothing,
    refusals: [],
  },
  userinfo: {
    method: 'GET',
    path: '/profile/userinfo',
    session: 'required',
    idempotent: false,
    summary: 'Returns the signed-in user.',
    payload: nothing,
    response: user,
    refusals: [],
  },
} as const satisfies Record<string, Route>

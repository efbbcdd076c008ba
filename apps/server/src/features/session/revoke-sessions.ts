import type { Database } from '@clearwell/ledger/database'
import * as z from 'zod/mini'
import { decideNotices } from '../../platform/notices/unsent-notices.ts'
import { defineOperatorAction } from '../../platform/operator/operator-action.ts'

/** An action of an earlier day has been applied. */
const APPLIED_WITHIN_MS = 86_400_000

/** Signs an account out on every device. Sessions that begin later are not concerned. */
export const revokeSessions = defineOperatorAction({
  kind: 'revoke_sessions',
  role: 'support',
  persons: 1,
  payload: z.strictObject({ address: z.string().check(z.regex(/^0x[0-9a-f]{40}$/)) }),
  decide(draft, context, { address }) {
    const { now, reason = '' } = context
    const key = now.toISOString()
    const notice = { userId: address, kind: 'sessions_revoked', key, params: { reason }, link: null } as const
    draft.add({ rows: decideNotices([notice], context) })
    return { isDone: true, account: address, text: `Every session of ${address} ends.` }
  },
})

/**
 * Ends the sessions that the audit log says to end. It may run again: a leader that dies after the action leaves it to the next
 * one, and sessions that began after the action stay.
 */
export async function endRevokedSessions(db: Database, now: Date): Promise<void> {
  await db.query(
    `update sessions set revoked_at = $1 from operator_actions action
     where action.kind = $2 and action.at > $3 and sessions.user_id = action.payload::json->>'address'
       and sessions.created_at <= action.at and sessions.revoked_at is null`,
    [now, revokeSessions.kind, new Date(now.getTime() - APPLIED_WITHIN_MS)],
  )
}

import { write } from '@clearwell/ledger/command'
import * as z from 'zod/mini'
import { shortAddress } from '../../platform/ledger/address.ts'
import { defineOperatorAction } from '../../platform/operator/operator-action.ts'
import { richAccounts, richUids } from './rich.tables.ts'

const payload = z.strictObject({ uid: z.string().check(z.regex(/^\d{6,20}$/)) })

/**
 * Releases a UID that somebody else proved to be theirs. The account keeps its star, deposit and earnings, and can link another
 * UID.
 */
export const releaseUid = defineOperatorAction({
  kind: 'release_uid',
  role: 'support',
  payload,
  preload: ({ uid }) => [{ table: richUids, id: uid }],
  decide(draft, _context, { uid }) {
    const owner = draft.row(richUids, uid)?.user_id
    const account = owner ? draft.row(richAccounts, owner) : undefined
    if (!account) return { isDone: false, text: `No account has the UID ${uid}.` }
    draft.add({
      rows: [write(richUids, { id: uid, user_id: null }), write(richAccounts, { ...account, uid: null })],
    })
    return { isDone: true, account: account.id, text: `The UID ${uid} leaves the account ${shortAddress(account.id)}.` }
  },
})

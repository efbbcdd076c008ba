import { readArchiveEndOf } from '@clearwell/ledger/archives'
import { arrayLiteral } from '@clearwell/ledger/array-literal'
import type { Database } from '@clearwell/ledger/database'
import { type PostingCursor, readPostings } from '@clearwell/ledger/read-postings'
import type { RowOf } from '@clearwell/ledger/table'
import { userAccount } from '../../platform/ledger/accounts.ts'
import type { referralTotals } from './total-shares.ts'

/** Beyond any entry of the ledger. */
const LAST_SEQ = 9_223_372_036_854_775_807n

/** Reads referral shares: their totals, and each with its swap. */
export function createShareStore(db: Database) {
  return {
    earned: (userId: string) =>
      db.query<Omit<RowOf<typeof referralTotals>, 'user_id'>>(
        'select asset, units, shares from referral_totals where user_id = $1 order by asset',
        [userId],
      ),
    /** Referral shares of a user, newest first. */
    list: (userId: string, { after, limit }: { after: PostingCursor | undefined; limit: number }) =>
      readPostings(db, {
        accounts: [userAccount(userId, 'available')],
        asset: undefined,
        kinds: ['referral_share'],
        range: { from: 1n, to: LAST_SEQ },
        order: 'newest_first',
        after,
        limit,
      }),
    /** The time up to which entries of the user are in an archive. */
    archivedUntil: async (userId: string) => (await readArchiveEndOf(db, [userAccount(userId, 'available')]))?.at,
    swaps: (ids: readonly string[]) =>
      db.query<{ id: string; user_id: string; pool_id: string; amount_in: bigint; fee: bigint }>(
        'select id, user_id, pool_id, amount_in, fee from swap_orders where id = any($1::text[])',
        [arrayLiteral(ids)],
      ),
  }
}

export type ShareStore = ReturnType<typeof createShareStore>

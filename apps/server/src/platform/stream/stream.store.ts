import type { Database } from '@clearwell/ledger/database'
import { createHistoryStore, type LogRow } from '../../features/history/history.store.ts'

/** Reads only: what the streams look at, once for all who listen. */
export function createStreamStore(db: Database) {
  const history = createHistoryStore(db)
  return {
    /** The number of the last entry. */
    async tip(): Promise<bigint> {
      const [row] = await db.query<{ seq: bigint }>('select seq from entries order by seq desc limit 1')
      return row?.seq ?? 0n
    },

    /** Postings on users' accounts of the entries after one and up to another; only on `accounts` where they are given. */
    userPostings: ({ after, to, accounts }: { after: bigint; to: bigint; accounts: readonly string[] | undefined }) =>
      db.query<LogRow>(
        `select p.entry_seq, p.position, e.kind, p.account, p.asset, p.units, p.balance_after, e.reference, e.at
         from (
           -- By themselves: beside a condition on the account the planner would read whole accounts instead.
           select * from postings where entry_seq > $1 and entry_seq <= $2 offset 0
         ) p join entries e on e.seq = p.entry_seq
         where ${accounts ? 'p.account in (select unnest($3::text[]))' : `p.account like 'user:%'`}
         order by p.entry_seq, p.position`,
        [after.toString(), to.toString(), ...(accounts ? [accounts] : [])],
      ),

    /** A user's postings of the entries after one and up to another, oldest first. */
    postingsOf: ({ after, to, ...query }: { accounts: readonly string[]; after: bigint; to: bigint; limit: number }) =>
      history.logs({
        ...query,
        range: { from: after + 1n, to },
        asset: undefined,
        kind: undefined,
        order: 'oldest_first',
        after: undefined,
      }),

    /** Which of these sessions are good: not revoked, and used after a time. */
    async openSessions(tokenHashes: readonly string[], usedAfter: Date): Promise<ReadonlySet<string>> {
      const rows = await db.query<{ token_hash: string }>(
        `select token_hash from sessions
         where token_hash = any($1::text[]) and revoked_at is null and last_used_at > $2`,
        [tokenHashes, usedAfter],
      )
      return new Set(rows.map((row) => row.token_hash))
    },
  }
}

export type StreamStore = ReturnType<typeof createStreamStore>

import type { Database } from '@clearwell/ledger/database'
import type { RowOf } from '@clearwell/ledger/table'
import { column, daysAfter, defineTable } from '@clearwell/ledger/table'

export const sessions = defineTable(
  'sessions',
  daysAfter('the session expired or signed out: longer while a device receives alerts through it', {
    days: 'retention.sessionsDays',
    plusMs: 'session.idleTtlMs',
    condition: 'last_used_at < $1',
  }),
  {
    token_hash: column.withheld(column.text),
    user_id: column.erasableUser('goes'),
    created_at: column.time,
    last_used_at: column.time,
    revoked_at: column.optional(column.time),
  },
)

export type SessionRow = Pick<RowOf<typeof sessions>, 'user_id' | 'last_used_at' | 'revoked_at'> & {
  readonly parent_id: string | null
}

/** The only SQL that writes sessions. A token is stored as its hash. */
export function createSessionStore(db: Database) {
  return {
    async insert(tokenHash: string, userId: string, now: Date): Promise<void> {
      await db.query('insert into sessions (token_hash, user_id, created_at, last_used_at) values ($1, $2, $3, $3)', [
        tokenHash,
        userId,
        now,
      ])
    },
    session: async (tokenHash: string) =>
      (
        await db.query<SessionRow>(
          `select s.user_id, u.parent_id, s.last_used_at, s.revoked_at from sessions s join users u on u.id = s.user_id
           where s.token_hash = $1`,
          [tokenHash],
        )
      )[0],
    /** Stores a use of a session that is neither revoked nor idle since `usedAfter`, and reads it. */
    use: async (tokenHash: string, now: Date, usedAfter: Date) =>
      (
        await db.query<SessionRow>(
          `update sessions s set last_used_at = $2 from users u
           where s.token_hash = $1 and u.id = s.user_id and s.revoked_at is null and s.last_used_at > $3
           returning s.user_id, u.parent_id, s.last_used_at, s.revoked_at`,
          [tokenHash, now, usedAfter],
        )
      )[0],
    async revoke(tokenHash: string, now: Date): Promise<void> {
      await db.query('update sessions set revoked_at = $2 where token_hash = $1 and revoked_at is null', [
        tokenHash,
        now,
      ])
    },
    /** The sessions among these that are neither revoked nor idle since `usedAfter`. */
    async open(tokenHashes: readonly string[], usedAfter: Date): Promise<ReadonlySet<string>> {
      const rows = await db.query<{ token_hash: string }>(
        `select token_hash from sessions
         where token_hash = any($1::text[]) and revoked_at is null and last_used_at > $2`,
        [tokenHashes, usedAfter],
      )
      return new Set(rows.map((row) => row.token_hash))
    },
  }
}

export type SessionStore = ReturnType<typeof createSessionStore>

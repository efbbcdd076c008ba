import type { Database } from '@clearwell/ledger/database'

export interface UserRow {
  id: string
  invite_code: string
  parent_id: string | null
  nickname: string
  created_at: Date
}

export interface NonceRow {
  nonce: string
  message: string
  issued_at: Date
  expires_at: Date
}

/** The only SQL on users, nonces and sessions. */
export function createSessionStore(db: Database) {
  return {
    /** Open nonces of an address, the newest first. */
    openNonces: (userId: string, now: Date) =>
      db.query<NonceRow>(
        `select nonce, message, issued_at, expires_at from login_nonces
         where user_id = $1 and used_at is null and expires_at > $2 order by issued_at desc, nonce`,
        [userId, now],
      ),
    async insertNonce(userId: string, row: NonceRow): Promise<void> {
      await db.query(
        'insert into login_nonces (nonce, user_id, message, issued_at, expires_at) values ($1, $2, $3, $4, $5)',
        [row.nonce, userId, row.message, row.issued_at, row.expires_at],
      )
    },
    /** Deletes a few, whosever they are: more than one asks for, so that nobody can fill the table with what is over. */
    async deleteExpiredNonces(now: Date): Promise<void> {
      await db.query(
        `delete from login_nonces where nonce = any(array(
           select nonce from login_nonces where expires_at <= $1 order by expires_at limit 10 for update skip locked
         ))`,
        [now],
      )
    },
    /** Uses a nonce up. Answers whether it was open: of two logins with one nonce, one gets it. */
    async useNonce(nonce: string, now: Date): Promise<boolean> {
      const rows = await db.query(
        'update login_nonces set used_at = $2 where nonce = $1 and used_at is null and expires_at > $2 returning nonce',
        [nonce, now],
      )
      return rows.length === 1
    },
    user: async (id: string) =>
      (
        await db.query<UserRow>('select id, invite_code, parent_id, nickname, created_at from users where id = $1', [
          id,
        ])
      )[0],
    userByInviteCode: async (code: string) =>
      (await db.query<{ id: string }>('select id from users where invite_code = $1', [code]))[0]?.id,
    /** Makes the user, unless it exists. Its parent is set here, once and for good. */
    async insertUser(row: UserRow): Promise<void> {
      await db.query(
        'insert into users (id, invite_code, parent_id, nickname, created_at) values ($1, $2, $3, $4, $5) on conflict (id) do nothing',
        [row.id, row.invite_code, row.parent_id, row.nickname, row.created_at],
      )
    },
    async insertSession(tokenHash: string, userId: string, now: Date): Promise<void> {
      await db.query('insert into sessions (token_hash, user_id, created_at, last_used_at) values ($1, $2, $3, $3)', [
        tokenHash,
        userId,
        now,
      ])
    },
    session: async (tokenHash: string) =>
      (
        await db.query<{ user_id: string; parent_id: string | null; last_used_at: Date; revoked_at: Date | null }>(
          `select s.user_id, u.parent_id, s.last_used_at, s.revoked_at from sessions s join users u on u.id = s.user_id
           where s.token_hash = $1`,
          [tokenHash],
        )
      )[0],
    async touchSession(tokenHash: string, now: Date): Promise<void> {
      await db.query('update sessions set last_used_at = $2 where token_hash = $1', [tokenHash, now])
    },
    async revokeSession(tokenHash: string, now: Date): Promise<void> {
      await db.query('update sessions set revoked_at = $2 where token_hash = $1 and revoked_at is null', [
        tokenHash,
        now,
      ])
    },
    activatedAt: async (userId: string) =>
      (await db.query<{ activated_at: Date | null }>('select activated_at from members where id = $1', [userId]))[0]
        ?.activated_at ?? null,
  }
}

export type SessionStore = ReturnType<typeof createSessionStore>

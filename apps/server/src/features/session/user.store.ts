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

/** The only SQL that writes users and sign-in nonces. */
export function createUserStore(db: Database) {
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
    /** Deletes up to ten of any address: more than one request adds, so expired nonces cannot fill the table. */
    async deleteExpiredNonces(now: Date): Promise<void> {
      await db.query(
        `delete from login_nonces where nonce = any(array(
           select nonce from login_nonces where expires_at <= $1 order by expires_at limit 10 for update skip locked
         ))`,
        [now],
      )
    },
    /** Marks a nonce as used. Returns whether it was open: of two logins with one nonce, one succeeds. */
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
    /** Creates the user, unless it exists. Its parent is set here and never changes. */
    async insertUser(row: UserRow): Promise<void> {
      await db.query(
        'insert into users (id, invite_code, parent_id, nickname, created_at) values ($1, $2, $3, $4, $5) on conflict (id) do nothing',
        [row.id, row.invite_code, row.parent_id, row.nickname, row.created_at],
      )
    },
    activatedAt: async (userId: string) =>
      (await db.query<{ activated_at: Date | null }>('select activated_at from members where id = $1', [userId]))[0]
        ?.activated_at ?? null,
  }
}

export type UserStore = ReturnType<typeof createUserStore>

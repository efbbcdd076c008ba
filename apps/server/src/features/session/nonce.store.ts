import type { Database, Queryable } from '@clearwell/ledger/database'
import type { RowOf } from '@clearwell/ledger/table'
import { column, defineTable, until } from '@clearwell/ledger/table'

export const loginNonces = defineTable('login_nonces', until('it expires: at most five for each address'), {
  nonce: column.text,
  user_id: column.user('apart'),
  message: column.text,
  issued_at: column.time,
  expires_at: column.time,
  used_at: column.optional(column.time),
  slot: column.integer,
})

/** Sign-in messages of one address that may be open. The table has no room for more. */
export const NONCE_SLOTS = 5

/** `slot` is from 0 to `NONCE_SLOTS - 1`. */
export type NonceRow = Omit<RowOf<typeof loginNonces>, 'user_id' | 'used_at'>

/** The only SQL that writes sign-in nonces. */
export function createNonceStore(db: Database) {
  return {
    /** Open nonces of an address, the newest first. */
    open: (userId: string, now: Date) =>
      db.query<NonceRow>(
        `select slot, nonce, message, issued_at, expires_at from login_nonces
         where user_id = $1 and used_at is null and expires_at > $2 order by issued_at desc, nonce`,
        [userId, now],
      ),
    /** Stores a nonce in its slot, over one that is used or expired. Returns false if an open nonce has the slot. */
    async insert(userId: string, row: NonceRow): Promise<boolean> {
      const inserted = await db.query(
        `insert into login_nonces as old (user_id, slot, nonce, message, issued_at, expires_at)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (user_id, slot) do update set nonce = excluded.nonce, message = excluded.message,
           issued_at = excluded.issued_at, expires_at = excluded.expires_at, used_at = null
         where old.used_at is not null or old.expires_at <= excluded.issued_at
         returning slot`,
        [userId, row.slot, row.nonce, row.message, row.issued_at, row.expires_at],
      )
      return inserted.length === 1
    },
    /** Marks a nonce as used. Returns whether it was open: of two logins with one nonce, one succeeds. */
    async use(userId: string, { slot, nonce }: NonceRow, now: Date): Promise<boolean> {
      const rows = await db.query(
        `update login_nonces set used_at = $4
         where user_id = $1 and slot = $2 and nonce = $3 and used_at is null and expires_at > $4 returning slot`,
        [userId, slot, nonce, now],
      )
      return rows.length === 1
    },
  }
}

export type NonceStore = ReturnType<typeof createNonceStore>

/** Deletes up to `limit` expired nonces and returns how many. Leaves those that a request is replacing now. */
export async function deleteExpiredNonces(tx: Queryable, now: Date, limit: number): Promise<number> {
  const rows = await tx.query(
    `delete from login_nonces where (user_id, slot) in (
       select user_id, slot from login_nonces where expires_at <= $1 order by expires_at limit $2 for update skip locked
     ) returning slot`,
    [now, limit],
  )
  return rows.length
}

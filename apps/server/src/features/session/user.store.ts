import type { Database } from '@clearwell/ledger/database'
import type { RowOf } from '@clearwell/ledger/table'
import type { acceptedTerms } from '../../domain/members/accepted-terms.ts'
import { type UserRow, users } from '../../domain/members/users.ts'
import { readFreeze } from '../../platform/ledger/frozen-accounts.ts'

interface Standing {
  readonly activated: boolean
  readonly level: number
  readonly star: number
}

/** The only SQL that writes users. */
export function createUserStore(db: Database) {
  return {
    user: async (id: string) => (await db.query<UserRow>(`select ${users.columns} from users where id = $1`, [id]))[0],
    userByInviteCode: async (code: string) =>
      (await db.query<{ id: string }>('select id from users where invite_code = $1', [code]))[0]?.id,
    /** Creates the user, unless it exists. Its parent is set here and never changes. */
    async insertUser(row: Omit<UserRow, 'number'>): Promise<void> {
      await db.query(
        // An inviter that is deleted in the meantime is no inviter.
        `insert into users (id, invite_code, parent_id, nickname, created_at)
         values ($1, $2, (select id from users where id = $3 for key share), $4, $5) on conflict (id) do nothing`,
        [row.id, row.invite_code, row.parent_id, row.nickname, row.created_at],
      )
    },
    /** The freeze of a user that is in force. */
    freeze: (userId: string, now: Date) => readFreeze(db, userId, now),
    /** The terms of the operator that the user accepted last. */
    async terms(userId: string): Promise<{ readonly version: string; readonly accepted_at: Date } | undefined> {
      const [row] = await db.query<RowOf<typeof acceptedTerms>>(
        'select version, accepted_at from accepted_terms where user_id = $1 order by accepted_at desc limit 1',
        [userId],
      )
      return row
    },
    /** The activation, the membership level and the star level of a user. */
    async standing(userId: string): Promise<Standing> {
      const [row] = await db.query<Standing>(
        `select exists (select from members where id = $1 and activated_at is not null) as activated,
           coalesce((select level from memberships where id = $1), 0) as level,
           coalesce((select star from rich_accounts where id = $1), 0) as star`,
        [userId],
      )
      return row ?? { activated: false, level: 0, star: 0 }
    },
  }
}

export type UserStore = ReturnType<typeof createUserStore>

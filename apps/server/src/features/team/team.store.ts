import { arrayLiteral } from '@clearwell/ledger/array-literal'
import type { Database } from '@clearwell/ledger/database'
import { type MembershipRow, memberships } from '../../domain/members/memberships.ts'
import type { UserRow } from '../../domain/members/users.ts'
import type { Joined } from './team-tree.ts'

type MemberRow = Pick<UserRow, 'id' | 'created_at'> & Pick<MembershipRow, 'level'> & { readonly number: number }

interface NumberedRow {
  readonly number: bigint
  readonly inviter: bigint
}

const MEMBER = `select u.number, coalesce(p.number, 0) as inviter from users u left join lateral (
    select number from users where id = u.parent_id offset 0
  ) p on true`

/** Reads members, and what the ledger's writer keeps about them. */
export function createTeamStore(db: Database) {
  const joined = (rows: readonly NumberedRow[]): Joined[] =>
    rows.map(({ number, inviter }) => ({ number: Number(number), inviter: Number(inviter) }))
  return {
    /** Members after a number, in the order of their numbers. */
    membersAfter: async (number: number, limit: number) =>
      joined(await db.query(`${MEMBER} where u.number > $1 order by u.number limit $2`, [number, limit])),
    members: async (numbers: readonly number[]) =>
      joined(await db.query(`${MEMBER} where u.number = any($1::bigint[])`, [arrayLiteral(numbers)])),
    /** Activations after one, in their order. */
    async activationsAfter(number: number, limit: number): Promise<{ number: number; member: number }[]> {
      const rows = await db.query<{ number: bigint; member: bigint }>(
        `select a.number, u.number as member from activations a cross join lateral (
           select number from users where id = a.id offset 0
         ) u where a.number > $1 order by a.number limit $2`,
        [number, limit],
      )
      return rows.map((row) => ({ number: Number(row.number), member: Number(row.member) }))
    },
    /** Members who were deleted, after one, in their order. */
    async departuresAfter(number: number, limit: number): Promise<{ number: number; member: number }[]> {
      const rows = await db.query<{ number: bigint; member: bigint }>(
        'select number, member from departed_members where number > $1 order by number limit $2',
        [number, limit],
      )
      return rows.map((row) => ({ number: Number(row.number), member: Number(row.member) }))
    },

    /** A user's own number and invitation. */
    async self(userId: string): Promise<{ number: number; inviteCode: string }> {
      const [row] = await db.query<{ number: bigint; invite_code: string }>(
        'select number, invite_code from users where id = $1',
        [userId],
      )
      if (!row) throw new Error('a session without its user')
      return { number: Number(row.number), inviteCode: row.invite_code }
    },
    membership: async (userId: string): Promise<MembershipRow | undefined> =>
      (await db.query<MembershipRow>(`select ${memberships.columns} from memberships where id = $1`, [userId]))[0],
    /** Members by their numbers, in no order. */
    async describe(numbers: readonly number[]): Promise<MemberRow[]> {
      const rows = await db.query<Omit<MemberRow, 'number'> & { number: bigint }>(
        `select u.number, u.id, u.created_at, coalesce(m.level, 0) as level
         from users u left join memberships m on m.id = u.id where u.number = any($1::bigint[])`,
        [arrayLiteral(numbers)],
      )
      return rows.map((row) => ({ ...row, number: Number(row.number) }))
    },
    /** Users whose address starts with `start` and ends with `end`, after one, in the order of the addresses. */
    async search({ start, end, after, limit }: { start: string; end: string; after: string; limit: number }) {
      const rows = await db.query<{ id: string; number: bigint }>(
        `select id, number from users
         where id >= $1 and id <= $1 || 'g' and id > $2 and right(id, $3) = $4 order by id limit $5`,
        [start, after, end.length, end, limit],
      )
      return rows.map(({ id, number }) => ({ id, number: Number(number) }))
    },
  }
}

export type TeamStore = ReturnType<typeof createTeamStore>

import type { Queryable } from '@clearwell/ledger/database'
import { readBalances } from '@clearwell/ledger/read-balances'
import type { Table, UnusedUser } from '@clearwell/ledger/table'
import { userAccounts } from '../../platform/ledger/accounts.ts'

/**
 * Finds and deletes accounts that were never used. What keeps an account, beside a ledger entry and a lead, and what is deleted
 * with it, is in the descriptions of the tables: see `UnusedUser`.
 *
 * @param tables all tables. Rows are deleted in their order.
 */
export function createEmptyAccounts(tables: readonly Table<unknown>[]) {
  const isUnused = [
    `u.created_at < $2`,
    'not exists (select from sessions s where s.user_id = u.id and s.last_used_at >= $2)',
    'not exists (select from users lead where lead.parent_id = u.id)',
    ...usersIn(tables, 'keeps').map(
      ({ table, column }) => `not exists (select from ${table} kept where kept.${column} = u.id)`,
    ),
  ].join(' and ')
  const deletions = usersIn(tables, 'goes').map(
    ({ table, column }) => `delete from ${table} where ${column} = any($1::text[])`,
  )
  return {
    /** Reads users after a number, and which of them are empty since `before`. */
    async readAfter(tx: Queryable, { after, before, limit }: Look): Promise<Found> {
      const rows = await tx.query<{ id: string; number: bigint; is_unused: boolean }>(
        `select u.id, u.number, ${isUnused} as is_unused
         from (select id, number, created_at from users where number > $1 order by number limit $3) u order by u.number`,
        [after, before, limit],
      )
      const unused = rows.filter((row) => row.is_unused).map(({ id, number }) => ({ id, number: Number(number) }))
      const last = rows.at(-1)
      return { empty: await withoutEntries(tx, unused), last: last && Number(last.number) }
    },
    /**
     * Deletes those of these accounts that are still empty. Each is locked first: a sign-in, a lead or an order that came
     * meanwhile keeps it, and later ones wait.
     *
     * @returns how many.
     */
    async delete(
      tx: Queryable,
      found: readonly NumberedUser[],
      { before, now }: { readonly before: Date; readonly now: Date },
    ): Promise<number> {
      if (found.length === 0) return 0
      const locked = await tx.query<{ id: string }>(
        'select id from users where id = any($1::text[]) for update skip locked',
        [found.map(({ id }) => id)],
      )
      const unused = await tx.query<{ id: string; number: bigint }>(
        `select u.id, u.number from users u where u.id = any($1::text[]) and ${isUnused}`,
        [locked.map(({ id }) => id), before],
      )
      const empty = await withoutEntries(
        tx,
        unused.map(({ id, number }) => ({ id, number: Number(number) })),
      )
      if (empty.length === 0) return 0
      const ids = empty.map(({ id }) => id)
      for (const deletion of deletions) await tx.query(deletion, [ids])
      await tx.query('delete from users where id = any($1::text[])', [ids])
      await tx.query('insert into departed_members (member, at) select *, $2::timestamptz from unnest($1::bigint[])', [
        empty.map(({ number }) => number),
        now,
      ])
      return empty.length
    },
  }
}

export type EmptyAccounts = ReturnType<typeof createEmptyAccounts>

interface NumberedUser {
  readonly id: string
  readonly number: number
}

interface Look {
  readonly after: number
  readonly before: Date
  readonly limit: number
}

interface Found {
  readonly empty: readonly NumberedUser[]
  readonly last: number | undefined
}

/** The columns that hold a user for whom the row means this. */
function usersIn(tables: readonly Table<unknown>[], meaning: UnusedUser): { table: string; column: string }[] {
  return tables.flatMap(({ name, kinds }) =>
    Object.entries(kinds).flatMap(([column, { unusedUser }]) =>
      unusedUser === meaning ? [{ table: name, column }] : [],
    ),
  )
}

/** An account that the ledger ever posted to has a balance, even of zero. */
async function withoutEntries(tx: Queryable, users: readonly NumberedUser[]): Promise<readonly NumberedUser[]> {
  if (users.length === 0) return users
  const balances = await readBalances(
    tx,
    users.flatMap(({ id }) => userAccounts(id)),
  )
  const used = new Set(balances.map(({ account }) => account.split(':')[1]))
  return users.filter(({ id }) => !used.has(id))
}

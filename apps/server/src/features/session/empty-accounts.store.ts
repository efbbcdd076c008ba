import type { Queryable } from '@clearwell/ledger/database'
import { readBalances } from '@clearwell/ledger/read-balances'
import { userAccounts } from '../../platform/ledger/accounts.ts'

/**
 * Rows that keep an account, beside a ledger entry and a lead: its orders, plans, its UID and unconfirmed payments. A row of
 * any other table that refers to users derives from one of these.
 */
export const KEEPING: readonly (readonly [table: string, column: string])[] = [
  ['members', 'id'],
  ['deposit_orders', 'user_id'],
  ['withdrawal_orders', 'user_id'],
  ['swap_orders', 'user_id'],
  ['plans', 'user_id'],
  ['rich_accounts', 'id'],
  ['pending_movements', 'account'],
  ['stranded_deposits', 'user_id'],
]

/** Rows that are deleted with an account, in this order. */
export const DELETED_WITH_ACCOUNT: readonly (readonly [table: string, column: string])[] = [
  ['push_subscriptions', 'user_id'],
  ['alerts', 'user_id'],
  ['notices', 'user_id'],
  ['hidden_from_ranks', 'user_id'],
  ['sessions', 'user_id'],
]

const IS_UNUSED = [
  `u.created_at < $2`,
  'not exists (select from sessions s where s.user_id = u.id and s.last_used_at >= $2)',
  'not exists (select from users lead where lead.parent_id = u.id)',
  ...KEEPING.map(([table, column]) => `not exists (select from ${table} kept where kept.${column} = u.id)`),
].join(' and ')

interface NumberedUser {
  readonly id: string
  readonly number: number
}

/** Reads users after a number, and which of them are empty since `before`. */
export async function readEmptyAfter(
  tx: Queryable,
  { after, before, limit }: { readonly after: number; readonly before: Date; readonly limit: number },
): Promise<{ readonly empty: readonly NumberedUser[]; readonly last: number | undefined }> {
  const rows = await tx.query<{ id: string; number: bigint; is_unused: boolean }>(
    `select u.id, u.number, ${IS_UNUSED} as is_unused
     from (select id, number, created_at from users where number > $1 order by number limit $3) u order by u.number`,
    [after, before, limit],
  )
  const unused = rows.filter((row) => row.is_unused).map(({ id, number }) => ({ id, number: Number(number) }))
  const last = rows.at(-1)
  return { empty: await withoutEntries(tx, unused), last: last && Number(last.number) }
}

/**
 * Deletes those of these accounts that are still empty. Each is locked first: a sign-in, a lead or an order that came
 * meanwhile keeps it, and later ones wait.
 *
 * @returns how many.
 */
export async function deleteEmpty(
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
    `select u.id, u.number from users u where u.id = any($1::text[]) and ${IS_UNUSED}`,
    [locked.map(({ id }) => id), before],
  )
  const empty = await withoutEntries(
    tx,
    unused.map(({ id, number }) => ({ id, number: Number(number) })),
  )
  if (empty.length === 0) return 0
  const ids = empty.map(({ id }) => id)
  for (const [table, column] of DELETED_WITH_ACCOUNT)
    await tx.query(`delete from ${table} where ${column} = any($1::text[])`, [ids])
  await tx.query('delete from users where id = any($1::text[])', [ids])
  await tx.query('insert into departed_members (member, at) select *, $2::timestamptz from unnest($1::bigint[])', [
    empty.map(({ number }) => number),
    now,
  ])
  return empty.length
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

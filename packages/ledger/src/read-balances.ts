import type { AssetId } from '@clearwell/money/asset'
import type { Queryable } from './database.ts'

export interface BalanceRow {
  readonly account: string
  readonly asset: AssetId
  /** Base units. */
  readonly units: bigint
}

/** A balance at one of several times: `index` is the index of that time in the caller's list. */
export interface PastBalanceRow extends BalanceRow {
  readonly index: number
}

/** Reads the current balances of these accounts. An account that never held an asset has no row for it. */
export function readBalances(db: Queryable, accounts: readonly string[]): Promise<BalanceRow[]> {
  return db.query<BalanceRow>('select account, asset, units from balances where account = any($1::text[])', [accounts])
}

/**
 * Reads the balances above zero of each account at each time. One index lookup each, regardless of the number of entries. An account
 * without an entry since the archives has the balance that it had at their end.
 *
 * @param accounts of users, or `vault`: only their postings are stored by account.
 * @param times not before the end of the archives: a partition is kept for longer than any chart.
 */
export function readPastBalances(
  db: Queryable,
  accounts: readonly string[],
  times: readonly Date[],
): Promise<PastBalanceRow[]> {
  return db.query<PastBalanceRow>(
    `select (point.number - 1)::integer as index, mine.account, mine.asset, last.balance_after as units
     from unnest($2::timestamptz[]) with ordinality as point (at, number)
     cross join lateral (
       select coalesce(
         (select seq from entries where at <= point.at order by at desc, seq desc limit 1),
         (select last_seq from ledger_archives where last_at <= point.at order by last_seq desc limit 1)
       ) as seq
     ) entry
     cross join (select account, asset from balances where account = any($1::text[])) mine
     cross join lateral (
       select coalesce(
         (select balance_after from owner_postings p
          where p.account = mine.account and p.asset = mine.asset and p.entry_seq <= entry.seq
          order by p.entry_seq desc, p.position desc limit 1),
         (select units from archived_balances a where a.account = mine.account and a.asset = mine.asset)
       ) as balance_after
     ) last
     where entry.seq is not null and last.balance_after > 0`,
    [accounts, times.map((time) => time.toISOString())],
  )
}

/**
 * Sums all balances by account. Users' accounts are added up: `user:ID:available` of all users as `user:*:available`.
 * Reads every balance.
 */
export function sumBalances(db: Queryable): Promise<BalanceRow[]> {
  return db.query<BalanceRow>(
    `select case when account like 'user:%' then 'user:*:' || split_part(account, ':', 3) else account end as account,
       asset, sum(units) as units
     from balances group by 1, 2 order by 1, 2`,
  )
}

/** Finds the assets in which an account's balance differs from its last posting. `account`: a user's, or `vault`. */
export async function findMovedBalances(db: Queryable, account: string): Promise<AssetId[]> {
  const rows = await db.query<{ asset: AssetId }>(
    `select balances.asset from balances cross join lateral (
       select coalesce(
         (select balance_after from owner_postings where account = $1 and asset = balances.asset
          order by entry_seq desc, position desc limit 1),
         (select units from archived_balances a where a.account = $1 and a.asset = balances.asset)
       ) as balance_after
     ) last where balances.account = $1 and balances.units <> last.balance_after order by asset`,
    [account],
  )
  return rows.map((row) => row.asset)
}

/** Reads the balances above zero of all users in one place, such as `collateral`. Reads every balance. */
export function readPlaceOfAllUsers(db: Queryable, place: string): Promise<BalanceRow[]> {
  return db.query<BalanceRow>(
    `select account, asset, units from balances where account like 'user:%:' || $1 and units > 0`,
    [place],
  )
}

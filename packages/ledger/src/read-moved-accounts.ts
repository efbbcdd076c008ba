import type { AssetId } from '@clearwell/money/asset'
import type { Queryable } from './database.ts'
import type { BalanceRow } from './read-balances.ts'

/** Reads the number of committed batches. It rises with every batch, also with those that change nothing. */
export async function readBatchNumber(db: Queryable): Promise<bigint> {
  const [row] = await db.query<{ batch: bigint }>('select batch from writer_lease where id = 1')
  return row?.batch ?? 0n
}

/** Sums what entries changed, by account and asset. @param after excluded. @param to included. */
export function sumChanges(db: Queryable, { after, to }: { after: bigint; to: bigint }): Promise<BalanceRow[]> {
  return db.query<BalanceRow>(
    `select account, asset, sum(units) as units
     from entries cross join lateral unnest(accounts, assets, amounts) as posting (account, asset, units)
     where seq > $1 and seq <= $2 group by account, asset`,
    [after.toString(), to.toString()],
  )
}

/** Sums all balances in one place of all users but one, such as `locked`. Reads every balance. */
export function sumPlacesOfUsers(
  db: Queryable,
  except: string,
): Promise<{ place: string; asset: AssetId; units: bigint }[]> {
  return db.query(
    `select split_part(account, ':', 3) as place, asset, sum(units) as units
     from balances where account like 'user:%' and split_part(account, ':', 2) <> $1 group by 1, 2`,
    [except],
  )
}

/**
 * Sums the balances of users in some of their places, for each user and asset. One index lookup each.
 *
 * @param pairs the users and assets, in the order of the response.
 */
export async function readUserSums(
  db: Queryable,
  pairs: { readonly users: readonly string[]; readonly assets: readonly string[] },
  places: readonly string[],
): Promise<bigint[]> {
  const rows = await db.query<{ units: bigint }>(
    `select coalesce((
       select sum(units) from balances
       where account = any(array(select 'user:' || owner || ':' || place from unnest($3::text[]) as place))
         and asset = wanted.held
     ), 0) as units
     from unnest($1::text[], $2::text[]) with ordinality as wanted (owner, held, number) order by number`,
    [pairs.users, pairs.assets, places],
  )
  return rows.map(({ units }) => units)
}

import type { Queryable } from '@clearwell/ledger/database'
import type { AssetId } from '@clearwell/money/asset'
import { debtOfShares } from '@clearwell/rules/borrow-index'
import { readPools } from './read-pools.ts'

/** A debt at one of several times: `index` is the index of that time in the caller's list. */
export interface PastDebt {
  readonly index: number
  readonly asset: AssetId
  /** Principal and interest, in base units. */
  readonly units: bigint
}

/** Reads what a user owes to each pool now, with the interest: one row for each pool, however many orders there are. */
export async function readOwed(
  tx: Queryable,
  userId: string,
  now: Date,
): Promise<{ readonly asset: AssetId; readonly units: bigint }[]> {
  const rows = await tx.query<{ asset: AssetId; debt_shares: bigint }>(
    'select asset, debt_shares from borrowers where user_id = $1 and debt_shares > 0',
    [userId],
  )
  if (rows.length === 0) return []
  const pools = await readPools(
    tx,
    rows.map(({ asset }) => asset),
    now,
  )
  return rows.map(({ asset, debt_shares: debtShares }) => ({
    asset,
    units: debtOfShares(debtShares, pools.get(asset)?.indexE27 ?? 0n),
  }))
}

/** Reads the same at past times: by the user's debt shares then, and the pool's index of that hour. */
export async function readPastOwed(tx: Queryable, userId: string, times: readonly Date[]): Promise<PastDebt[]> {
  const rows = await tx.query<{
    index: number
    asset: AssetId
    debt: bigint
    debt_shares: bigint
    index_e27: bigint | null
  }>(
    `select (point.number - 1)::integer as index, mine.asset, changed.debt, changed.debt_shares, later.index_e27
     from unnest($2::timestamptz[]) with ordinality as point (at, number)
     cross join (select asset from borrowers where user_id = $1) mine
     cross join lateral (
       select debt_shares, debt, at from borrower_changes
       where user_id = $1 and asset = mine.asset and at <= point.at order by at desc limit 1
     ) changed
     left join lateral (
       select index_e27 from lending_rates
       where asset = mine.asset and at <= point.at and at > changed.at order by at desc limit 1
     ) later on true
     where changed.debt_shares > 0`,
    [userId, times.map((time) => time.toISOString())],
  )
  return rows.map(({ index, asset, debt, debt_shares: debtShares, index_e27: indexE27 }) => ({
    index,
    asset,
    units: indexE27 === null ? debt : debtOfShares(debtShares, indexE27),
  }))
}

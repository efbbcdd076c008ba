import type { Queryable } from '@clearwell/ledger/database'
import type { BalanceRow, PastBalanceRow } from '@clearwell/ledger/read-balances'
import type { AssetId } from '@clearwell/money/asset'
import { mulDiv } from '@clearwell/money/mul-div'
import { valueOfShares } from '@clearwell/rules/lending-pool'
import { totalDebt } from '@clearwell/rules/loan'
import { LOAN_COLUMNS, readPools } from './lending.store.ts'
import type { LoanRow } from './lending.tables.ts'
import { debtOf, secondsOf } from './lending-books.ts'
import type { LendingRules } from './lending-parameters.ts'

/** The shares whose value the history keeps. */
const VALUED_SHARES = 10n ** 24n

/** A place of the user's value that is no account of the ledger: the money is in the pools. */
function pledgedPlace(userId: string): string {
  return `user:${userId}:pledged`
}

/** Reads the present value of a user's pledges, above zero. Read the balances on the same transaction, so that they match. */
export async function readPledged(
  tx: Queryable,
  { userId, rules, now }: { readonly userId: string; readonly rules: LendingRules; readonly now: Date },
): Promise<BalanceRow[]> {
  const pledged = await tx.query<{ asset: AssetId; shares: bigint }>(
    'select asset, shares from pledges where user_id = $1 and shares > 0',
    [userId],
  )
  if (pledged.length === 0) return []
  const assets = pledged.map(({ asset }) => asset)
  const pools = await readPools(tx, assets, now)
  return pledged.flatMap(({ asset, shares }) => {
    const state = pools.get(asset)
    const reserveBps = rules.pools.find((each) => each.asset === asset)?.reserveBps ?? 0n
    const units = state ? valueOfShares(state.pool, shares, reserveBps) : 0n
    return units > 0n ? [{ account: pledgedPlace(userId), asset, units }] : []
  })
}

/** Reads the same at past times: by the user's shares then, and the last value of shares that was recorded. */
export async function readPastPledged(
  tx: Queryable,
  userId: string,
  times: readonly Date[],
): Promise<PastBalanceRow[]> {
  const rows = await tx.query<{ index: number; asset: AssetId; units: bigint; shares: bigint; value: bigint | null }>(
    `select (point.number - 1)::integer as index, mine.asset, changed.value as units, changed.shares, later.value
     from unnest($2::timestamptz[]) with ordinality as point (at, number)
     cross join (select asset from pledges where user_id = $1) mine
     cross join lateral (
       select shares, value, at from pledge_changes
       where user_id = $1 and asset = mine.asset and at <= point.at order by at desc limit 1
     ) changed
     left join lateral (
       select value from pledge_values
       where asset = mine.asset and at <= point.at and at > changed.at order by at desc limit 1
     ) later on true
     where changed.shares > 0`,
    [userId, times.map((time) => time.toISOString())],
  )
  return rows.map(({ index, asset, units, shares, value }) => ({
    index,
    account: pledgedPlace(userId),
    asset,
    units: value === null ? units : mulDiv(shares, value, VALUED_SHARES, 'down'),
  }))
}

/** Reads the debt of a user's open orders, with the interest up to now. */
export async function readOwed(
  tx: Queryable,
  userId: string,
  now: Date,
): Promise<{ readonly asset: AssetId; readonly units: bigint }[]> {
  const rows = await tx.query<LoanRow>(`select ${LOAN_COLUMNS} from loans where user_id = $1 and status in (2, 0)`, [
    userId,
  ])
  return rows.map((row) => ({ asset: row.borrow_asset as AssetId, units: totalDebt(debtOf(row), secondsOf(now)) }))
}

/** Records the value of shares now, for the history of pledges. A second record of one moment changes nothing. */
export async function recordShareValues(tx: Queryable, rules: LendingRules, now: Date): Promise<void> {
  const pools = await readPools(
    tx,
    rules.pools.map(({ asset }) => asset),
    now,
  )
  for (const { asset, reserveBps } of rules.pools) {
    const pool = pools.get(asset)?.pool
    if (!pool || pool.shares === 0n) continue
    await tx.query(
      `insert into pledge_values (id, asset, value, at) values ($1, $2, $3::numeric, $4) on conflict (id) do nothing`,
      [`${asset}:${now.getTime()}`, asset, valueOfShares(pool, VALUED_SHARES, reserveBps).toString(), now],
    )
  }
}

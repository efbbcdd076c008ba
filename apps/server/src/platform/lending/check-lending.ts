import type { Queryable } from '@clearwell/ledger/database'
import { type BalanceRow, readPlaceOfAllUsers } from '@clearwell/ledger/read-balances'

/** Most differences of one kind that are listed. */
const LISTED = 20

/**
 * Compares the pools with their loans and pledges, and the collateral in the ledger with the orders, to the unit. Reads every
 * open order, so its duration grows with their number.
 *
 * @returns one sentence per difference; empty if there is none.
 */
export async function findLendingFaults(tx: Queryable): Promise<string[]> {
  const pools = await tx.query<{ asset: string; name: string; stored: bigint; summed: bigint }>(
    `with owed as (
       select pool.id, coalesce(sum(principal), 0) as principal, coalesce(sum(principal * rate_e18), 0) as rate_sum,
         coalesce(sum(loan.accrued + principal * rate_e18
           * floor(extract(epoch from pool.accrued_at) - extract(epoch from loan.accrued_at))), 0) as accrued
       from lending_pools pool left join loans loan on loan.borrow_asset = pool.id and loan.status in (2, 0)
       group by pool.id
     ), pledged as (select asset, sum(shares) as shares from pledges group by asset)
     select pool.id as asset, figure.* from lending_pools pool
     join owed on owed.id = pool.id left join pledged on pledged.asset = pool.id
     cross join lateral (values
       ('principal', pool.borrowed, owed.principal),
       ('sum of principal and rate', pool.rate_sum, owed.rate_sum),
       ('accrued interest', pool.accrued, trunc(owed.accrued)),
       ('shares', pool.shares, coalesce(pledged.shares, 0))
     ) as figure (name, stored, summed)
     where figure.stored <> figure.summed limit ${LISTED}`,
  )
  const collateral = await findCollateralFaults(tx)
  return [
    ...pools.map(
      ({ asset, name, stored, summed }) =>
        `the lending pool of ${asset} has ${name} ${stored}, and its loans and pledges add up to ${summed}`,
    ),
    ...collateral,
  ]
}

/** Compares the collateral in the ledger with the open orders of each user. */
async function findCollateralFaults(tx: Queryable): Promise<string[]> {
  const orders = await tx.query<BalanceRow>(
    `select 'user:' || user_id || ':collateral' as account, collateral_asset as asset, sum(collateral) as units
     from loans where status in (2, 0) group by 1, 2`,
  )
  const keyOf = ({ account, asset }: BalanceRow) => `${account} ${asset}`
  const wanted = new Map(orders.map((row) => [keyOf(row), row]))
  const held = new Map((await readPlaceOfAllUsers(tx, 'collateral')).map((row) => [keyOf(row), row]))
  const faults: string[] = []
  for (const key of new Set([...held.keys(), ...wanted.keys()])) {
    const [inLedger, inOrders] = [held.get(key)?.units ?? 0n, wanted.get(key)?.units ?? 0n]
    if (inLedger !== inOrders && faults.length < LISTED)
      faults.push(`${key}: the ledger holds ${inLedger} base units, and the orders say ${inOrders}`)
  }
  return faults
}

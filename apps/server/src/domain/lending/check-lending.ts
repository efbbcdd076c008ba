import type { Queryable } from '@clearwell/ledger/database'
import { type BalanceRow, readPlaceOfAllUsers } from '@clearwell/ledger/read-balances'
import { parseNode, type RatioSums } from '@clearwell/rules/ratio-node'

/** Most differences of one kind that are listed. */
const LISTED = 20

/**
 * Compares the pools with their loans and pledges, the borrowers and the index of ratios with the orders, and the collateral in the
 * ledger with the orders, to the unit. Reads every open order, so its duration grows with their number.
 *
 * @returns one sentence per difference; empty if there is none.
 */
export async function findLendingFaults(tx: Queryable): Promise<string[]> {
  return [
    ...(await findPoolFaults(tx)),
    ...(await findBorrowerFaults(tx)),
    ...(await findIndexFaults(tx)),
    ...(await findCollateralFaults(tx)),
  ]
}

async function findPoolFaults(tx: Queryable): Promise<string[]> {
  return [...(await findSumFaults(tx)), ...(await findPledgerFaults(tx))]
}

/** The pledgers' part of the debts lies between the principal and all debts. An order can owe a fraction of a unit less than its principal. */
async function findPledgerFaults(tx: Queryable): Promise<string[]> {
  const pools = await tx.query<{ id: string; below: bigint }>(
    `select pool.id, below_debt_e27 as below from lending_pools pool
     cross join lateral (select count(*) as orders from loans where borrow_asset = pool.id and status in (2, 0)) open
     where below_debt_e27 > debt_shares * index_e27 or below_debt_e27 < (borrowed - orders) * 1e27::numeric`,
  )
  return pools.map(
    ({ id, below }) =>
      `the lending pool of ${id} owes pledgers ${below} at 10^27, which is not between principal and debts`,
  )
}

async function findSumFaults(tx: Queryable): Promise<string[]> {
  const pools = await tx.query<{ asset: string; name: string; stored: bigint; summed: bigint }>(
    `with owed as (
       select pool.id, coalesce(sum(principal), 0) as principal, coalesce(sum(loan.debt_shares), 0) as debt_shares
       from lending_pools pool left join loans loan on loan.borrow_asset = pool.id and loan.status in (2, 0)
       group by pool.id
     ), pledged as (select asset, sum(shares) as shares from pledges group by asset)
     select pool.id as asset, figure.* from lending_pools pool
     join owed on owed.id = pool.id left join pledged on pledged.asset = pool.id
     cross join lateral (values
       ('principal', pool.borrowed, owed.principal),
       ('debt shares', pool.debt_shares, owed.debt_shares),
       ('shares', pool.shares, coalesce(pledged.shares, 0))
     ) as figure (name, stored, summed)
     where figure.stored <> figure.summed limit ${LISTED}`,
  )
  return pools.map(
    ({ asset, name, stored, summed }) =>
      `the lending pool of ${asset} has ${name} ${stored}, and its loans and pledges add up to ${summed}`,
  )
}

async function findBorrowerFaults(tx: Queryable): Promise<string[]> {
  const rows = await tx.query<{ id: string; stored: bigint; summed: bigint; orders: number; counted: number }>(
    `select id, coalesce(borrower.debt_shares, 0) as stored, coalesce(owed.shares, 0) as summed,
       coalesce(open_orders, 0) as orders, coalesce(owed.orders, 0) as counted
     from borrowers borrower full join (
       select borrow_asset || ':' || user_id as id, sum(debt_shares) as shares, count(*)::integer as orders
       from loans where status in (2, 0) group by 1
     ) owed using (id)
     where coalesce(borrower.debt_shares, 0) <> coalesce(owed.shares, 0) or coalesce(open_orders, 0) <> coalesce(owed.orders, 0)
     limit ${LISTED}`,
  )
  return rows.map(
    ({ id, stored, summed, orders, counted }) =>
      `the borrower ${id} has ${stored} debt shares in ${orders} orders, and the orders add up to ${summed} in ${counted}`,
  )
}

/** Compares every entry of the index of ratios with its order, and the sums of each node with its entries. */
async function findIndexFaults(tx: Queryable): Promise<string[]> {
  const nodes = await tx.query<{ id: string; body: string }>('select id, body from loan_ratio_nodes')
  const parsed = new Map(nodes.map(({ id, body }) => [id, parseNode(body)]))
  const faults: string[] = []
  const indexed = new Map<string, string>()
  const sumOf = (id: string): RatioSums => {
    const node = parsed.get(id)
    if (!node || node.kind === 'free') {
      faults.push(`the node ${id} of the index of ratios is missing`)
      return NOTHING
    }
    if (node.kind === 'leaf') {
      for (const entry of node.entries)
        indexed.set(entry.id, `${id.split(':', 2).join(':')} ${entry.collateral} ${entry.debtShares}`)
      return node.entries.reduce(add, NOTHING)
    }
    for (const child of node.children) {
      const sum = sumOf(child.id)
      if (sum.collateral !== child.collateral || sum.debtShares !== child.debtShares)
        faults.push(`the node ${id} of the index of ratios has other sums than its child ${child.id}`)
    }
    return node.children.reduce(add, NOTHING)
  }
  for (const { id } of nodes) if (id.split(':').length === 2) sumOf(id)
  const orders = await tx.query<{ id: string; entry: string }>(
    `select id, collateral_asset || ':' || borrow_asset || ' ' || collateral || ' ' || debt_shares as entry
     from loans where status in (2, 0)`,
  )
  for (const { id, entry } of orders) {
    if (indexed.get(id) !== entry)
      faults.push(`the order ${id} is in the index of ratios as ${indexed.get(id)}, not as ${entry}`)
    indexed.delete(id)
  }
  for (const id of indexed.keys()) faults.push(`the index of ratios has ${id}, which is no open order`)
  return faults.slice(0, LISTED)
}

const NOTHING: RatioSums = { collateral: 0n, debtShares: 0n }

function add(sum: RatioSums, { collateral, debtShares }: RatioSums): RatioSums {
  return { collateral: sum.collateral + collateral, debtShares: sum.debtShares + debtShares }
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

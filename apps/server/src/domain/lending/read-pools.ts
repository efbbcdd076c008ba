import type { Queryable } from '@clearwell/ledger/database'
import { readBalances } from '@clearwell/ledger/read-balances'
import type { AssetId } from '@clearwell/money/asset'
import type { LoanPool } from '@clearwell/rules/loan-pool'
import { lendingPools } from './lending.tables.ts'
import { lendingCash } from './lending-accounts.ts'
import { poolNow } from './lending-books.ts'

/** Reads pools with their index grown up to a time. */
export async function readPools(
  tx: Queryable,
  assets: readonly AssetId[],
  now: Date,
): Promise<ReadonlyMap<AssetId, LoanPool>> {
  const rows = await lendingPools.load(tx, assets)
  const balances = await readBalances(tx, assets.map(lendingCash))
  return new Map(
    assets.map((asset) => {
      const cash = balances.find((each) => each.account === lendingCash(asset) && each.asset === asset)?.units ?? 0n
      return [
        asset,
        poolNow(
          rows.find(({ id }) => id === asset),
          cash,
          now,
        ),
      ]
    }),
  )
}

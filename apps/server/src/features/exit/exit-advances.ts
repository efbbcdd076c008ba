import type { Database } from '@clearwell/ledger/database'
import { readBalances } from '@clearwell/ledger/read-balances'
import { column, defineWriterTable, forever, type RowOf } from '@clearwell/ledger/table'
import type { AssetId } from '@clearwell/money/asset'
import { userAccount } from '../../platform/ledger/accounts.ts'
import { LEAVING_ASSETS } from '../../platform/ledger/leaving-accounts.ts'

/** Accounts that are looked at together. */
const MOST_OWING = 100

/** Debts of accounts, because the vault has paid them more than the ledger had. */
export const exitAdvances = defineWriterTable(
  'exit_advances',
  forever('one row for each account and asset that ever had an advance; normally none'),
  {
    /** See {@link advanceId}. */
    id: column.text,
    /** The account that left, in lower case. */
    user_id: column.user('keeps'),
    asset: column.asset,
    /** The units that the account still owes to each. */
    to_insurance: column.units,
    to_treasury: column.units,
    changed_at: column.time,
  },
)
export type ExitAdvanceRow = RowOf<typeof exitAdvances>

export function advanceId(account: string, asset: AssetId): string {
  return `${account} ${asset}`
}

const availableOf = (userId: string) => userAccount(userId, 'available')

/** Finds accounts that owe an advance and have something to give back. */
export async function findOwing(db: Database): Promise<string[]> {
  const text = `select distinct user_id as id from exit_advances
    where to_insurance + to_treasury > 0 order by 1 limit ${MOST_OWING}`
  const owing = (await db.query<{ id: string }>(text)).map(({ id }) => id)
  const balances = owing.length === 0 ? [] : await readBalances(db, owing.map(availableOf))
  const isTaken = (asset: string) => LEAVING_ASSETS.some((each) => each === asset)
  const having = new Set(
    balances.flatMap(({ account, asset, units }) => (units > 0n && isTaken(asset) ? [account] : [])),
  )
  return owing.filter((id) => having.has(availableOf(id)))
}

/** Reads the advances that an account owes. */
export function readAdvances(db: Database, userId: string): Promise<ExitAdvanceRow[]> {
  return db.query(
    `select ${exitAdvances.columns} from exit_advances
     where user_id = $1 and to_insurance + to_treasury > 0 order by asset`,
    [userId],
  )
}

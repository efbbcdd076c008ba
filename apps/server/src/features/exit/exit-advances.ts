import type { Database } from '@clearwell/ledger/database'
import { readBalances } from '@clearwell/ledger/read-balances'
import { column, defineWriterTable, forever, type RowOf } from '@clearwell/ledger/table'
import type { AssetId } from '@clearwell/money/asset'
import { userAccount } from '../../platform/ledger/accounts.ts'
import { LEAVING_ASSETS } from '../../platform/ledger/leaving-accounts.ts'

/** Accounts whose advances one command takes back, and how many are looked at for them. */
const MOST_OWING = 100
const MOST_LOOKED_AT = 1_000

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

export interface Owing {
  readonly accounts: readonly string[]
  /** The next search begins after this account; `undefined`: with the first one. */
  readonly last: string | undefined
}

/**
 * Finds accounts that owe an advance and have something to give back, in the order of their addresses. Accounts that never give anything back,
 * without a balance or with one that has no price, must not keep others waiting: so each search begins where the last one ended.
 */
export async function findOwing(db: Database, after: string | undefined): Promise<Owing> {
  const text = `select distinct user_id as id from exit_advances
    where to_insurance + to_treasury > 0 and user_id > $1 order by 1 limit ${MOST_LOOKED_AT}`
  const owing = (await db.query<{ id: string }>(text, [after ?? ''])).map(({ id }) => id)
  const balances = owing.length === 0 ? [] : await readBalances(db, owing.map(availableOf))
  const isTaken = (asset: string) => LEAVING_ASSETS.some((each) => each === asset)
  const having = new Set(
    balances.flatMap(({ account, asset, units }) => (units > 0n && isTaken(asset) ? [account] : [])),
  )
  const found = owing.filter((id) => having.has(availableOf(id)))
  const accounts = found.slice(0, MOST_OWING)
  if (found.length > MOST_OWING) return { accounts, last: accounts.at(-1) }
  return { accounts, last: owing.length === MOST_LOOKED_AT ? owing.at(-1) : undefined }
}

/** Reads the advances that an account owes. */
export function readAdvances(db: Database, userId: string): Promise<ExitAdvanceRow[]> {
  return db.query(
    `select ${exitAdvances.columns} from exit_advances
     where user_id = $1 and to_insurance + to_treasury > 0 order by asset`,
    [userId],
  )
}

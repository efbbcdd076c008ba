import { column, defineWriterTable, forever, type RowOf } from '@clearwell/ledger/table'
import type { AssetId } from '@clearwell/money/asset'

/** What accounts owe, because the vault has paid them more than the ledger had. */
export const exitAdvances = defineWriterTable(
  'exit_advances',
  forever('one row for each account and asset that ever had an advance; normally none'),
  {
    /** See {@link advanceId}. */
    id: column.text,
    /** The account that left, in lower case. */
    user_id: column.user('keeps'),
    asset: column.asset,
    /** What the account still owes to each. */
    to_insurance: column.units,
    to_treasury: column.units,
    changed_at: column.time,
  },
)
export type ExitAdvanceRow = RowOf<typeof exitAdvances>

export function advanceId(account: string, asset: AssetId): string {
  return `${account} ${asset}`
}

import type { Answer } from '@clearwell/api/routes'
import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import { placeOf } from '../../platform/ledger/accounts.ts'
import type { LogRow } from './history.store.ts'

/** A posting of the user's as the API and the file show it. */
export function logItem(row: LogRow): Answer<'logs'>['items'][number] {
  return {
    id: `${row.entry_seq}-${row.position}`,
    kind: row.kind,
    place: placeOf(row.account),
    asset: row.asset,
    amount: formatUnits(row.units, ASSET_DECIMALS[row.asset]),
    balance_after: formatUnits(row.balance_after, ASSET_DECIMALS[row.asset]),
    reference: row.reference,
    created_at: row.at.toISOString(),
  }
}

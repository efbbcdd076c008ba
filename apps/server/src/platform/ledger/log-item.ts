import type { EntryKind } from '@clearwell/api/parts'
import type { ResponseOf } from '@clearwell/api/routes'
import type { PostingRow } from '@clearwell/ledger/read-postings'
import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import { placeOf } from './accounts.ts'

/** Formats a user's posting for the API and the CSV export. */
export function logItem(row: PostingRow): ResponseOf<'logs'>['items'][number] {
  return {
    id: `${row.entry_seq}-${row.position}`,
    // Every kind that a command of this server posts to a user's account is in the list.
    kind: row.kind as EntryKind,
    place: placeOf(row.account),
    asset: row.asset,
    amount: formatUnits(row.units, ASSET_DECIMALS[row.asset]),
    balance_after: formatUnits(row.balance_after, ASSET_DECIMALS[row.asset]),
    reference: row.reference,
    created_at: row.at.toISOString(),
  }
}

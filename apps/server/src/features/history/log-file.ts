import type { ArchiveEnd } from '@clearwell/ledger/archives'
import type { PostingCursor, PostingQuery, PostingRow } from '@clearwell/ledger/read-postings'
import { csvLine } from '../../platform/http/csv-line.ts'
import { userAccounts } from '../../platform/ledger/accounts.ts'
import { ARCHIVED_NOTE } from '../../platform/ledger/archived-note.ts'
import { logItem } from '../../platform/ledger/log-item.ts'
import type { HistoryStore } from './history.store.ts'

/** Postings in memory at a time, per download. */
const PAGE = 1_000
const COLUMNS = ['time', 'entry', 'kind', 'asset', 'amount', 'balance_after', 'place', 'reference']

/** The postings that a filter finds. */
export type FoundPostings = Pick<PostingQuery, 'asset' | 'kinds' | 'match' | 'range'>

/**
 * Streams the user's postings as pieces of a CSV file, oldest first. The next page is read only after the client took
 * the previous one. Entries never change, so the file is a consistent snapshot of the range fixed at the start. Where older entries of
 * the user are in an archive, the first line says so.
 *
 * @param from the beginning of the period that the user asked for.
 */
export async function* logFile(
  store: HistoryStore,
  userId: string,
  filter: FoundPostings,
  from?: Date,
): AsyncGenerator<string> {
  const accounts = userAccounts(userId)
  const archived = await store.archived(userId, from)
  let after: PostingCursor | undefined
  let header = csvLine(COLUMNS) + (archived ? archiveLine(archived) : '')
  for (;;) {
    const { rows, scannedTo } = await store.logs({ accounts, ...filter, order: 'oldest_first', after, limit: PAGE })
    const piece = header + rows.map(line).join('')
    if (piece !== '') yield piece
    header = ''
    const last = rows.at(-1)
    if (last && rows.length === PAGE) after = { seq: last.entry_seq, position: last.position }
    else if (scannedTo) after = scannedTo
    else return
  }
}

/** In the place of the older entries. */
function archiveLine({ seq, at }: ArchiveEnd): string {
  return csvLine([at.toISOString(), `${seq}`, 'archived', '', '', '', '', ARCHIVED_NOTE])
}

function line(row: PostingRow): string {
  const { created_at, kind, asset, amount, balance_after, place, reference } = logItem(row)
  return csvLine([created_at, row.entry_seq.toString(), kind, asset, amount, balance_after, place, reference])
}

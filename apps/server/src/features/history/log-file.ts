import { userAccounts } from '../../platform/ledger/accounts.ts'
import { csvLine } from './csv.ts'
import type { HistoryStore, LogCursor, LogQuery, LogRow } from './history.store.ts'
import { logItem } from './log-item.ts'

/** How many postings are in memory at a time, for each file that is being read. */
const PAGE = 1_000
const COLUMNS = ['time', 'entry', 'kind', 'asset', 'amount', 'balance_after', 'place', 'reference']

/**
 * The user's postings as the pieces of a CSV file, oldest first: a page of them is read when the one before was taken.
 * Entries are never changed, so the range that was fixed at the start is one moment's truth however long this takes.
 */
export async function* logFile(
  store: HistoryStore,
  userId: string,
  filter: Pick<LogQuery, 'asset' | 'kind' | 'range'>,
): AsyncGenerator<string> {
  const accounts = userAccounts(userId)
  let after: LogCursor | undefined
  let head = csvLine(COLUMNS)
  for (;;) {
    const rows = await store.logs({ accounts, ...filter, order: 'oldest_first', after, limit: PAGE })
    const piece = head + rows.map(line).join('')
    if (piece !== '') yield piece
    head = ''
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = { seq: last.entry_seq, position: last.position }
  }
}

function line(row: LogRow): string {
  const { created_at, kind, asset, amount, balance_after, place, reference } = logItem(row)
  return csvLine([created_at, row.entry_seq.toString(), kind, asset, amount, balance_after, place, reference])
}

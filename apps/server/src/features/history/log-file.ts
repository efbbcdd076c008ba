import type { PostingCursor, PostingQuery, PostingRow } from '@clearwell/ledger/read-postings'
import { userAccounts } from '../../platform/ledger/accounts.ts'
import { logItem } from '../../platform/ledger/log-item.ts'
import type { HistoryStore } from './history.store.ts'

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
  filter: Pick<PostingQuery, 'asset' | 'kind' | 'range'>,
): AsyncGenerator<string> {
  const accounts = userAccounts(userId)
  let after: PostingCursor | undefined
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

function line(row: PostingRow): string {
  const { created_at, kind, asset, amount, balance_after, place, reference } = logItem(row)
  return csvLine([created_at, row.entry_seq.toString(), kind, asset, amount, balance_after, place, reference])
}

/** The beginnings that a spreadsheet takes for a formula, full-width signs included. */
const FORMULA = /^[\s]*[=+\-@＝＋－＠]/
const NUMBER = /^-?\d+(\.\d+)?$/

/**
 * One line of a CSV file (RFC 4180), with its line end. A cell that is no number never begins like a formula: a
 * spreadsheet would run it.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

function cell(text: string): string {
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

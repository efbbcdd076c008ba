import { readArchivedBalances, readArchiveEndOf } from '@clearwell/ledger/archives'
import type { Database } from '@clearwell/ledger/database'
import { type BalanceRow, readBalances } from '@clearwell/ledger/read-balances'
import { type PostingCursor, readPostingPage, readRange } from '@clearwell/ledger/read-postings'
import type { Table } from '@clearwell/ledger/table'
import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import { placeOf, userAccounts } from '../../platform/ledger/accounts.ts'
import { ARCHIVED_NOTE } from '../../platform/ledger/archived-note.ts'
import { logItem } from '../../platform/ledger/log-item.ts'
import { GROUP_OF_TABLE } from './data-groups.ts'
import { readOwnRows } from './own-rows.ts'

const PAGE = 1_000

/** Rows of a part of the file, some at a time. */
interface Page {
  readonly rows: readonly object[]
  readonly isCut?: boolean
}

/** The file needs these beside the user. */
export interface DataFileDependencies {
  readonly db: Database
  readonly tables: readonly Table<unknown>[]
  /** How long the rows of a table are kept, in words. */
  readonly keptFor: (table: Table<unknown>) => string
  readonly product: string
}

/**
 * Streams what is stored about a user as pieces of a JSON file, table by table. The next page is read only after the client
 * took the one before, so each table is of another moment.
 */
export async function* dataFile(
  { db, tables, keptFor, product }: DataFileDependencies,
  userId: string,
  now: Date,
): AsyncGenerator<string> {
  const head = {
    product,
    address: userId,
    made_at: now.toISOString(),
    note: 'Numbers of tables are base units of their asset. Other users are shortened. Keys of devices, hashes of tokens and the names of persons of the operator are left out.',
    network_addresses: 'Not in the database. The log of the server may name the address of a request.',
  }
  yield `${JSON.stringify(head, null, 1).slice(0, -2)},\n "parts": [`
  let isFirst = true
  for (const table of tables) {
    const group = GROUP_OF_TABLE[table.name]
    if (group === undefined) continue
    yield `${isFirst ? '' : ','}\n${JSON.stringify({ group, table: table.name, kept: keptFor(table) }).slice(0, -1)},"rows":[`
    isFirst = false
    let count = 0
    let isCut = false
    for await (const page of pagesOf(db, table, userId)) {
      const rows = page.rows.map((row) => `\n  ${JSON.stringify(row)}`).join(',')
      if (rows !== '') yield (count === 0 ? '' : ',') + rows
      count += page.rows.length
      isCut = page.isCut ?? false
    }
    const archived = table.name === 'owner_postings' ? await archivedOf(db, userId) : undefined
    yield `],"is_complete":${!isCut && !archived}${archived ? `,"archived":${JSON.stringify(archived)}` : ''}}`
  }
  yield '\n ]\n}\n'
}

/** Where the archives end, if they have entries of the user. */
async function archivedOf(db: Database, userId: string) {
  const end = await readArchiveEndOf(db, userAccounts(userId))
  return end && { until: end.at.toISOString(), last_entry: `${end.seq}`, note: ARCHIVED_NOTE }
}

function pagesOf(db: Database, table: Table<unknown>, userId: string): AsyncIterable<Page> {
  if (table.name === 'balances') return balancePages(readBalances(db, userAccounts(userId)))
  if (table.name === 'archived_balances') return balancePages(readArchivedBalances(db, userAccounts(userId)))
  return table.name === 'owner_postings' ? entryPages(db, userId) : readOwnRows(db, table, userId)
}

async function* balancePages(read: Promise<readonly BalanceRow[]>): AsyncGenerator<Page> {
  const rows = await read
  yield {
    rows: rows.map(({ account, asset, units }) => ({
      place: placeOf(account),
      asset,
      amount: formatUnits(units, ASSET_DECIMALS[asset]),
    })),
  }
}

/** All entries, as the balance log shows them. */
async function* entryPages(db: Database, userId: string): AsyncGenerator<Page> {
  const range = await readRange(db, {})
  let after: PostingCursor | undefined
  for (;;) {
    const { rows, scannedTo } = await readPostingPage(db, {
      ...{ accounts: userAccounts(userId), asset: undefined, kinds: undefined },
      ...{ range, order: 'oldest_first', after, limit: PAGE },
    })
    yield { rows: rows.map(logItem) }
    const last = rows.at(-1)
    if (last && rows.length === PAGE) after = { seq: last.entry_seq, position: last.position }
    else if (scannedTo) after = scannedTo
    else return
  }
}

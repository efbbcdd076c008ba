import { requireEntriesAfter } from '@clearwell/ledger/archives'
import { readEntries } from '@clearwell/ledger/audit'
import type { Queryable } from '@clearwell/ledger/database'
import type { RowLine } from '../../platform/ledger/row-lines.ts'
import type { ExportHead } from './export-ledger.ts'
import { hashedLines } from './hashed-lines.ts'
import { entryLine, HEADER_COLUMNS, type HeaderRow, headerLine } from './ledger-lines.ts'

/** The format of the lines, as `bookkeeper/src/pull-batch.ts` reads them. */
const FORMAT = 'clearwell batch 1'
const MAX_ACCOUNTS = 5_000
const MAX_HEADERS = 100
const MAX_SIGNED = 1_000
const MAX_LINES = 1_000
/** Lines of rows are added until they have so many characters together. */
const MAX_TEXT = 8_000_000
/** Headers are added until their proof data have so many characters together. */
const MAX_DATA = 8_000_000

/** The last of everything that a bookkeeper has stored. */
export interface BatchCursor {
  readonly entry: bigint
  readonly header: bigint
  /** Of an account's place. */
  readonly change: bigint
  /** Of a header whose signatures it has. Absent: the reader does not ask for signatures. */
  readonly signed?: bigint
  /** The last line of rows. Absent: it has none. */
  readonly line?: bigint
}

interface DataRow extends HeaderRow {
  readonly lines: string | null
  readonly ledger_seq: bigint
  readonly block: string
  readonly quarter: string
}

/**
 * Exports the ledger after a cursor as lines, as the export of the whole ledger does: new accounts, at most 5,000 entries, the lines of rows, and
 * the headers whose entries, accounts and lines the reader has with this, each with its proof data. Then come the signatures of headers that had
 * none when the reader got them. The last line has the cursor's next `change`.
 *
 * @param tx sees one moment, as `readOneMoment` does.
 * @throws EntriesArchived if the next entry is in a detached archive.
 */
export async function exportBatch(tx: Queryable, head: ExportHead, after: BatchCursor): Promise<string> {
  await requireEntriesAfter(tx, after.entry)
  const { line, end } = hashedLines()
  const lines = [line({ format: FORMAT, ...head, depth: 20 })]
  const accounts = await tx.query<{ id: string; place: number; salt: string; change: bigint }>(
    'select id, place, salt, change from proof_accounts where change > $1 order by change limit $2',
    [after.change.toString(), MAX_ACCOUNTS],
  )
  for (const { id, place, salt } of accounts) if (id !== head.operator) lines.push(line({ account: [id, place, salt] }))
  const entries = await readEntries(tx, after.entry)
  for (const entry of entries) lines.push(line(entryLine(entry)))
  const rows = await readLines(tx, after.line ?? 0n)
  for (const { number, from_seq, to_seq, rows: text, previous, hash } of rows.lines)
    lines.push(line({ rows: [`${number}`, `${from_seq}`, `${to_seq}`, text], previous, hash }))
  if (accounts.length < MAX_ACCOUNTS && rows.areAll)
    for (const row of await readHeaders(tx, after.header, entries.at(-1)?.seq ?? after.entry))
      lines.push(line({ ...headerLine(row), ...dataOf(row) }))
  for (const row of await readSigned(tx, after))
    lines.push(line({ signed: `${row.number}`, root: row.root_signature, bookkeeper: row.book_signature }))
  lines.push(end({ change: `${accounts.at(-1)?.change ?? after.change}` }))
  return lines.join('')
}

function dataOf({ ledger_seq, block, quarter, lines }: DataRow) {
  return { seq: `${ledger_seq}`, block, quarter, ...(lines === null ? {} : { lines: JSON.parse(lines) }) }
}

/** Reads the next lines of rows, until their text has so many characters together. */
async function readLines(tx: Queryable, after: bigint): Promise<{ lines: readonly RowLine[]; areAll: boolean }> {
  const read = await tx.query<RowLine & { text_before: bigint }>(
    `select number, from_seq, to_seq, rows, previous, hash,
       (sum(length(rows)) over (order by number) - length(rows))::bigint as text_before
     from (select * from row_lines where number > $1 order by number limit $2) due order by number`,
    [after.toString(), MAX_LINES],
  )
  const lines = read.filter(({ text_before }) => text_before < MAX_TEXT)
  return { lines, areAll: read.length < MAX_LINES && lines.length === read.length }
}

/** Reads the signatures of headers that the reader has had before. Headers are signed in their order. */
async function readSigned(tx: Queryable, { signed, header }: BatchCursor) {
  if (signed === undefined || signed >= header) return []
  return tx.query<{ number: bigint; root_signature: string; book_signature: string | null }>(
    `select number, root_signature, book_signature from proof_headers join proof_header_bodies using (id)
     where number > $1 and number <= $2 and root_signature is not null order by number limit $3`,
    [signed.toString(), header.toString(), MAX_SIGNED],
  )
}

/** Reads the next headers that contain no entry after `seq`. */
async function readHeaders(tx: Queryable, after: bigint, seq: bigint): Promise<DataRow[]> {
  return tx.query<DataRow>(
    `select * from (
       select ${HEADER_COLUMNS}, lines, ledger_seq, block, quarter,
         sum(length(block)) over (order by number) - length(block) as data_before
       from (select * from proof_headers where number > $1 and ledger_seq <= $2 order by number limit $3) due
       join proof_data using (id, number) left join proof_header_bodies using (id)
     ) sized where data_before < $4 order by number`,
    [after.toString(), seq.toString(), MAX_HEADERS, MAX_DATA],
  )
}

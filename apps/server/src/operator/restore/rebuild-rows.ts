import { type AnyWriterTable, type Context, type RowWrite, type StateKey, write } from '@clearwell/ledger/command'
import type { Queryable } from '@clearwell/ledger/database'
import type { Draft } from '@clearwell/ledger/draft'
import type { WriterTable } from '@clearwell/ledger/table'
import { BOX_TABLES } from '../../domain/boxes/box.tables.ts'
import { LENDING_TABLES, type LoanRow, loans } from '../../domain/lending/lending.tables.ts'
import { lendingParameters } from '../../domain/lending/lending-parameters.ts'
import { moveInIndex } from '../../domain/lending/ratio-books.ts'
import { acceptedTerms } from '../../domain/members/accepted-terms.ts'
import { members } from '../../domain/members/members.ts'
import { activations, inviters, lastNumbers, memberships } from '../../domain/members/memberships.ts'
import { liquidations } from '../../features/liquidation/liquidation.tables.ts'
import { RICH_TABLES } from '../../features/rich/rich.tables.ts'
import { depositOrders } from '../../platform/ledger/deposit-orders.ts'
import { repaymentStops } from '../../platform/ledger/repayment-stop.ts'
import { LAST_LINE, lineHash, lineRows, type RowLine, readRows, rowLineHeads } from '../../platform/ledger/row-lines.ts'
import { treasuryDebts } from '../../platform/ledger/treasury-debts.ts'
import type { Store } from './read-store.ts'
import { RestoreRefused } from './restore-refused.ts'

const MEMBER_TABLES = [members, activations, lastNumbers, memberships, inviters, acceptedTerms, depositOrders]
const TABLES = [
  ...[...LENDING_TABLES, lendingParameters, liquidations, ...RICH_TABLES, ...BOX_TABLES, treasuryDebts, repaymentStops],
  ...MEMBER_TABLES,
]

/** Tables whose rows lines may contain. */
const CARRIED: ReadonlyMap<string, AnyWriterTable> = new Map(
  (TABLES as AnyWriterTable[]).filter(({ carried }) => carried !== undefined).map((table) => [table.name, table]),
)

/** The lines of rows that a database lacks. */
export interface MissingLines {
  /** Oldest first. Each follows the one before. */
  readonly lines: readonly RowLine[]
  /** The database's last line. */
  readonly last: { readonly number: bigint; readonly hash: string } | undefined
  /** Returns true for an entry whose rows are in a line. */
  readonly covers: (seq: bigint) => boolean
}

/**
 * Finds the lines of the store after the database's last one.
 *
 * @throws RestoreRefused if a line is missing or has another hash, or if its rows cannot be written.
 */
export async function findMissingLines(
  db: Queryable,
  { lines: stored, lastEntry }: Pick<Store, 'lines' | 'lastEntry'>,
): Promise<MissingLines> {
  const [last] = await rowLineHeads.load(db, [LAST_LINE.id])
  const number = last?.number ?? 0n
  // A line is stored before its entries, and the store can end between them.
  const lines = stored.filter((line) => line.number > number && line.to_seq <= lastEntry)
  const own = stored.find((line) => line.number === number)
  if (last && own && own.hash !== last.hash)
    throw new RestoreRefused(`Line ${number} of rows of the database has another hash than in the store.`)
  let before = last ?? { number: 0n, hash: `0x${'00'.repeat(32)}` }
  for (const line of lines) {
    if (line.number !== before.number + 1n || line.previous !== before.hash)
      throw new RestoreRefused(`The store lacks the lines of rows between ${before.number} and ${line.number}.`)
    if (lineHash(line) !== line.hash) throw new RestoreRefused(`Line ${line.number} of rows has another hash.`)
    rowsOf(line)
    before = line
  }
  const covered = new Set(lines.flatMap(entriesOf))
  return { lines, last, covers: (seq) => covered.has(seq) }
}

/** Returns the numbers of a line's entries: none for a command without an entry. */
export function entriesOf({ from_seq, to_seq }: RowLine): bigint[] {
  return Array.from({ length: Number(to_seq - from_seq) + 1 }, (_, index) => from_seq + BigInt(index))
}

/** Reads the rows of a line. @throws RestoreRefused if a row is not one of its table */
export function rowsOf({ number, rows }: RowLine): RowWrite[] {
  try {
    return readRows(rows, CARRIED)
  } catch (error) {
    throw new RestoreRefused(`Line ${number} of rows: ${error instanceof Error ? error.message : error}.`)
  }
}

/** Returns the last row of each object of a table, in the order of the lines. */
export function lastRows<Row extends { readonly id: string }>(
  lines: readonly RowLine[],
  table: WriterTable<Row>,
): readonly Row[] {
  const rows = lines.flatMap(rowsOf).filter((each) => each.table === table)
  // `readRows` has made each row from the columns of its table.
  return [...new Map(rows.map(({ row }) => [row.id, row as Row])).values()]
}

/** Returns the users whom rows of lines are about. */
export function usersOf(lines: readonly RowLine[]): string[] {
  const users = lines.flatMap(rowsOf).flatMap(({ table, row }) => {
    const values = row as unknown as Readonly<Record<string, string | null>>
    return Object.entries(table.kinds).flatMap(([name, kind]) => (kind.unusedUser ? (values[name] ?? []) : []))
  })
  return [...new Set(users)]
}

/** Keys that {@link writeLines} reads. */
export function lineKeys(lines: readonly RowLine[]): StateKey[] {
  const rows = lines.flatMap(rowsOf).filter(({ table }) => table === loans)
  return lines.length === 0 ? [] : [LAST_LINE, ...rows.map(({ table, row: { id } }) => ({ table, id }))]
}

/** Writes the rows of lines, and moves their loans to their places in the index, whose nodes are in no line. */
export function writeLines(draft: Draft, { now }: Pick<Context, 'now'>, lines: readonly RowLine[]): void {
  for (const line of lines) {
    const last = draft.row(rowLineHeads, LAST_LINE.id)?.number ?? 0n
    if (line.number !== last + 1n) throw new Error(`line ${last + 1n} of rows is missing`)
    const rows = rowsOf(line)
    const moved = rows
      .filter(({ table }) => table === loans)
      .map(({ row }) => ({ before: draft.row(loans, row.id), after: row as LoanRow }))
    draft.add({ rows: moveInIndex(draft, moved) })
    draft.add({ rows: [...rows.map(({ table, row }) => write(table, row)), ...lineRows(line, now)] })
  }
}

import { createHash, hash } from 'node:crypto'
import {
  type AnyWriterTable,
  type PlanCompletion,
  type RowWrite,
  type StateKey,
  write,
} from '@clearwell/ledger/command'
import { column, daysAfter, defineWriterTable, type RowOf, until } from '@clearwell/ledger/table'

/**
 * Lines of rows: a command whose rows a restore cannot make from its entries stores these rows as one line of text in the same
 * transaction. Bookkeepers store the lines with the entries, and the headers cover their hash chain (decision 0069).
 */
export const rowLines = defineWriterTable(
  'row_lines',
  // The last line stays: headers cover it for as long as there is no later one, so a new bookkeeper needs it.
  daysAfter('its command: bookkeepers store it within seconds, and keep it. The last line stays', {
    days: 90,
    condition: 'at < $1 and number < (select number from row_line_heads)',
  }),
  {
    /** The number. */
    id: column.text,
    number: column.bigint,
    /** The entries of the command. Without an entry, `to_seq` is the entry before it, and `from_seq` the one after that. */
    from_seq: column.bigint,
    to_seq: column.bigint,
    /** JSON, see {@link rowsText}. */
    rows: column.text,
    /** Of the line before, in hex with 0x. */
    previous: column.text,
    hash: column.text,
    at: column.time,
  },
  { isNeverRead: true },
)
export type RowLine = Pick<RowOf<typeof rowLines>, 'number' | 'from_seq' | 'to_seq' | 'rows' | 'previous' | 'hash'>

export const rowLineHeads = defineWriterTable('row_line_heads', until('the ledger ends: one row, the last line'), {
  id: column.text,
  number: column.bigint,
  hash: column.text,
})
const LAST = 'last'
export const LAST_LINE = { table: rowLineHeads, id: LAST } satisfies StateKey

const NO_LINE = `0x${'00'.repeat(32)}`

/** Stores the line of each command that writes such rows. One without them, such as a swap, reads and writes nothing more. */
export const storeRowLines: PlanCompletion = {
  keysOf: () => [],
  rowsFor({ entries = [], rows = [] }, state, { now }, lastSeq) {
    const carried = rows.filter(({ table: { carried } }) => carried !== undefined)
    const isPlain = entries.length === 0 && carried.every(({ table }) => table.carried === 'with_entries')
    if (carried.length === 0 || isPlain) return []
    const last = state.row(rowLineHeads, LAST)
    const line = {
      number: (last?.number ?? 0n) + 1n,
      from_seq: lastSeq + 1n,
      to_seq: lastSeq + BigInt(entries.length),
      rows: rowsText(carried),
      previous: last?.hash ?? NO_LINE,
    }
    return lineRows({ ...line, hash: lineHash(line) }, now)
  },
}

/** The rows that store a line as the last one. */
export function lineRows(line: RowLine, at: Date): RowWrite[] {
  const { number, hash: lineHashText } = line
  return [
    write(rowLines, { id: `${number}`, ...line, at }),
    write(rowLineHeads, { id: LAST, number, hash: lineHashText }),
  ]
}

/** `sha256(0x40 || hash of the line before || text)`, where text is the JSON of number, entries and rows. */
export function lineHash({ number, from_seq, to_seq, rows, previous }: Omit<RowLine, 'hash'>): string {
  const text = JSON.stringify([`${number}`, `${from_seq}`, `${to_seq}`, rows])
  const bytes = Buffer.concat([Buffer.of(0x40), Buffer.from(previous.slice(2), 'hex'), Buffer.from(text)])
  return `0x${hash('sha256', bytes)}`
}

/** The last line as a header names it, with the hash of the rules. */
export interface CoveredLines {
  /** Of the rules and the money parameters, as a header without lines has it. */
  readonly rules: string
  /** Of the last line. */
  readonly number: string
  readonly hash: string
}

/** The field `rules` of a header that covers lines: `sha256(0x41 || hash of the rules || number 8 || hash of the last line)`. */
export function coverLines({ rules, number, hash: lineHashText }: CoveredLines): `0x${string}` {
  const place = Buffer.alloc(8)
  place.writeBigUInt64BE(BigInt(number))
  const [of, last] = [rules, lineHashText].map((hex) => Buffer.from(hex.slice(2), 'hex')) as [Buffer, Buffer]
  const covered = createHash('sha256').update(Buffer.of(0x41)).update(of).update(place).update(last)
  return `0x${covered.digest('hex')}`
}

type Cell = string | number | boolean | null

/**
 * Writes rows as canonical JSON: `[table, row]` for each row, with the columns in the order of the table. Numbers of more than 53 bits
 * are decimal text, and times are ISO 8601 in UTC.
 */
function rowsText(rows: readonly RowWrite[]): string {
  return JSON.stringify(
    rows.map(({ table, row }) => {
      const values = row as unknown as Readonly<Record<string, unknown>>
      return [table.name, Object.fromEntries(Object.keys(table.kinds).map((name) => [name, cellOf(values[name])]))]
    }),
  )
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value)
}

/**
 * Reads rows that {@link rowsText} has written. An optional column that a later version has added is null in lines of before.
 *
 * @param tables those that may be written.
 * @throws Error for another table, or a row that lacks a column that needs a value.
 */
export function readRows(text: string, tables: ReadonlyMap<string, AnyWriterTable>): RowWrite[] {
  const rows: [name: string, row: Readonly<Record<string, Cell>>][] = JSON.parse(text)
  return rows.map(([name, cells]) => {
    const table = tables.get(name)
    if (!table) throw new Error(`a restore does not write rows of ${name}`)
    const values = Object.entries(table.kinds).map(([each, { sql, isOptional }]) => {
      const cell = cells[each]
      if (cell === undefined && !isOptional) throw new Error(`a row of ${name} lacks ${each}`)
      return [each, fromCell(cell ?? null, sql)]
    })
    return { table, row: Object.fromEntries(values) }
  })
}

function fromCell(cell: Cell, sql: string): unknown {
  if (cell === null) return null
  if (sql === 'numeric' || sql === 'bigint') return BigInt(cell)
  return sql === 'timestamptz' ? new Date(`${cell}`) : cell
}

import type { Queryable } from '@clearwell/ledger/database'
import type { ColumnKind, Table } from '@clearwell/ledger/table'
import { shortAddress } from '../../platform/ledger/address.ts'

/** Rows in memory at a time, per download. */
const PAGE = 1_000
/** Pages of one table in a file. The rows of the next ones are in the lists of the app. */
const MAX_PAGES = 100

type Row = Readonly<Record<string, unknown>>

/** A page of a table's rows about a user. */
export interface OwnPage {
  readonly rows: readonly Row[]
  /** True while the table has more pages than a file takes. */
  readonly isCut: boolean
}

const columnsOf = ({ kinds }: Table<unknown>, is: (kind: ColumnKind<unknown>) => boolean): string[] =>
  Object.entries(kinds).flatMap(([name, kind]) => (is(kind) ? [name] : []))

/** The columns whose user a row is about. */
export function ownerColumns(table: Table<unknown>): string[] {
  return columnsOf(table, ({ unusedUser }) => unusedUser !== undefined)
}

/** True if the table holds accounts of the ledger, which are read by the ledger's own functions. */
export function hasAccounts(table: Table<unknown>): boolean {
  return columnsOf(table, ({ isAccount }) => isAccount === true).length > 0
}

/** Reads a user's rows of a table in the order of its primary key, a page at a time. */
export async function* readOwnRows(db: Queryable, table: Table<unknown>, userId: string): AsyncGenerator<OwnPage> {
  const key = await primaryKeyOf(db, table.name)
  const shown = columnsOf(table, ({ isWithheld }) => !isWithheld)
  const mine = ownerColumns(table).map((name) => `${name} = $1`)
  const keys = key.map((name, index) => `${name}::text as key_${index}`)
  let after: readonly string[] = []
  for (let page = 1; ; page++) {
    const beyond = after.length === 0 ? '' : `and (${key}) > (${after.map((_, index) => `$${index + 2}`)})`
    const rows = await db.query<Row>(
      `select ${[...shown, ...keys]} from ${table.name} where (${mine.join(' or ')}) ${beyond}
       order by ${key.map((name) => `${table.name}.${name}`)} limit ${PAGE}`,
      [userId, ...after],
    )
    const isLast = rows.length < PAGE
    yield { rows: rows.map((row) => shownRow(table, shown, row, userId)), isCut: !isLast && page === MAX_PAGES }
    if (isLast || page === MAX_PAGES) return
    const last = rows.at(-1) as Row
    after = key.map((_, index) => last[`key_${index}`] as string)
  }
}

/** The row as text for a file. Another user's address is shortened, as everywhere in the product. */
function shownRow({ kinds }: Table<unknown>, shown: readonly string[], row: Row, userId: string): Row {
  return Object.fromEntries(
    shown.map((name) => {
      const value = row[name]
      const { unusedUser, isOtherUser } = kinds[name] as ColumnKind<unknown>
      const isUser = (unusedUser !== undefined || isOtherUser) && typeof value === 'string'
      return [name, isUser && value !== userId ? shortOf(value) : plainValue(value)]
    }),
  )
}

/** Rows of the operator and of the server have a word in place of an address. */
function shortOf(value: string): string {
  return value.startsWith('0x') ? shortAddress(value) : value
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`
  if (Array.isArray(value)) return value.map(plainValue)
  return value
}

async function primaryKeyOf(db: Queryable, table: string): Promise<string[]> {
  const columns = await db.query<{ name: string }>(
    `select attname as name from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
     where indrelid = $1::regclass and indisprimary order by array_position(indkey::smallint[], attnum)`,
    [table],
  )
  return columns.map(({ name }) => name)
}

import type { AssetId } from '@clearwell/money/asset'
import { arrayLiteral } from './array-literal.ts'
import type { Queryable, Statement } from './database.ts'

/**
 * Says whether a row keeps its user's account. Accounts that were never used are deleted. `keeps`: the row prevents that.
 * `goes`: it is deleted with the account. `implied`: only a user has such a row whom another row keeps. `apart`: its own rule decides.
 */
export type UnusedUser = 'keeps' | 'goes' | 'implied' | 'apart'

/** The type of a column, in the database and in the code. */
export interface ColumnKind<Value> {
  readonly sql: 'text' | 'numeric' | 'bigint' | 'integer' | 'boolean' | 'timestamptz' | 'bytea' | 'json' | `${string}[]`
  readonly isOptional?: true
  /** The column holds the user whom the row is about. */
  readonly unusedUser?: UnusedUser
  /** The user may erase the row. */
  readonly mayErase?: true
  /** The column holds a user whom the row is not about, such as an inviter. */
  readonly isOtherUser?: true
  /** The column holds an account of the ledger, which may be a user's. */
  readonly isAccount?: true
  /** Left out of the file of a user's own data. */
  readonly isWithheld?: true
  /** Carries the type only. */
  readonly value?: Value
}

const kind = <Value>(sql: ColumnKind<Value>['sql']): ColumnKind<Value> => ({ sql })

/** Column kinds. The code trusts that the database holds values of the named type. */
export const column = {
  text: kind<string>('text'),
  /** Text of a narrower type. */
  textOf: <Value extends string>() => kind<Value>('text'),
  asset: kind<AssetId>('text'),
  /** The id of a user, with what the row means to an account that was never used. */
  user: (unusedUser: UnusedUser): ColumnKind<string> => ({ ...kind<string>('text'), unusedUser }),
  /** The same, of rows that the user may erase. */
  erasableUser: (unusedUser: UnusedUser): ColumnKind<string> => ({
    ...kind<string>('text'),
    unusedUser,
    mayErase: true,
  }),
  otherUser: { ...kind<string>('text'), isOtherUser: true } as ColumnKind<string>,
  account: { ...kind<string>('text'), isAccount: true } as ColumnKind<string>,
  withheld: <Value>(of: ColumnKind<Value>): ColumnKind<Value> => ({ ...of, isWithheld: true }),
  /** A day of the calendar, as `2026-11-24`. */
  day: kind<`${number}-${number}-${number}`>('text'),
  /** One of the values of a list or of an object. */
  oneOf: <const Value extends string | number>(
    values: readonly Value[] | Readonly<Record<string, Value>>,
  ): ColumnKind<Value> => kind(Object.values(values).every((each) => typeof each === 'number') ? 'integer' : 'text'),
  units: kind<bigint>('numeric'),
  bigint: kind<bigint>('bigint'),
  integer: kind<number>('integer'),
  boolean: kind<boolean>('boolean'),
  time: kind<Date>('timestamptz'),
  bytes: kind<Buffer>('bytea'),
  json: <Value>() => kind<Value>('json'),
  list: <Value>({ sql }: ColumnKind<Value>) => kind<Value[]>(`${sql}[]`),
  optional: <Value>(of: ColumnKind<Value>): ColumnKind<Value | null> => ({ ...of, isOptional: true }),
}

/** When the rows of a table are deleted, or why they never are. */
export type Retention =
  | { readonly forever: string }
  /** A job deletes the rows, the days of `deletion` after an event. */
  | { readonly after: string; readonly deletion: Deletion }
  /** Without a `deletion`, other code removes the rows. */
  | { readonly until: string; readonly deletion?: Deletion }

/** A key of the configuration, such as `retention.alertsDays`. */
export type ConfigKey = `${string}.${string}`

/** Which rows a job deletes once a day. */
export interface Deletion {
  /** How long they are kept: a number, or the key of the configuration that holds it. */
  readonly days: number | ConfigKey
  /** A key whose milliseconds are added to `days`. */
  readonly plusMs?: ConfigKey
  /** SQL on a row: whether it may go. `$1` is the latest time that is old enough. */
  readonly condition: string
}

/** The rows are never deleted. */
export function forever(why: string): Retention {
  return { forever: why }
}

/**
 * The rows are deleted at some time.
 *
 * @param event as in "a row is kept until …", with a note after a colon.
 */
export function until(event: string, deletion?: Deletion): Retention {
  return deletion ? { until: event, deletion } : { until: event }
}

/**
 * A job deletes the rows some days after an event.
 *
 * @param event as in "a row is kept 30 days after …", with a note after a colon.
 */
export function daysAfter(event: string, deletion: Deletion): Retention {
  return { after: event, deletion }
}

/** Returns the rows that a job deletes; `undefined` where no job does. */
export function deletionOf(retention: Retention): Deletion | undefined {
  return 'deletion' in retention ? retention.deletion : undefined
}

type Columns = Readonly<Record<string, ColumnKind<unknown>>>
type WriterColumns = Columns & { readonly id: ColumnKind<string> }
type RowOfColumns<Shape extends Columns> = {
  readonly [Name in keyof Shape]: Shape[Name] extends ColumnKind<infer Value> ? Value : never
}

/** A table of the database. A migration creates it. */
export interface Table<Row> {
  readonly name: string
  /** The names of its columns, for the list of a `select`. */
  readonly columns: string
  readonly kinds: Columns
  readonly keptFor: Retention
  /** Carries the type only. */
  readonly row?: Row
}

/** The type of a table's rows. */
export type RowOf<Described> = Described extends Table<infer Row> ? Row : never

/**
 * Rows that a restore cannot make from the entries, so they are stored outside the database with them. `always`: each write of a row.
 * `with_entries`: only the writes of commands that move money; what other commands change in the row is found again without it.
 */
export type CarriedRows = 'always' | 'with_entries'

/** A table whose rows only the writer changes. `id` is its primary key. */
export interface WriterTable<Row extends { readonly id: string }> extends Table<Row> {
  /** No command reads its rows, so the writer does not keep them in memory. */
  readonly isNeverRead: boolean
  /** Set if bookkeepers store its rows with the entries, see {@link CarriedRows}. */
  readonly carried: CarriedRows | undefined
  load(db: Queryable, ids: readonly string[]): Promise<Row[]>
  /** Builds the statement that inserts rows, or replaces those that exist. */
  saveStatement(rows: readonly Row[]): Statement
}

/**
 * Describes a table. Its part lists it, so that a test compares it with the schema and its old rows are deleted.
 *
 * @param columns all of its columns.
 */
export function defineTable<const Shape extends Columns>(
  name: string,
  keptFor: Retention,
  columns: Shape,
): Table<RowOfColumns<Shape>> {
  return describe(name, keptFor, columns)
}

function describe<Row>(name: string, keptFor: Retention, columns: Columns): Table<Row> {
  return { name, columns: Object.keys(columns).join(', '), kinds: columns, keptFor }
}

/**
 * Describes a table of the writer. One statement reads or writes any number of rows.
 *
 * @param options.rowsAreFinal rows are written once and never updated, so the insert skips the conflict check.
 * @param options.isNeverRead the same, and no command reads them.
 * @param options.carried its rows are stored with the entries, outside the database.
 */
export function defineWriterTable<const Shape extends WriterColumns>(
  name: string,
  keptFor: Retention,
  columns: Shape,
  {
    isNeverRead = false,
    rowsAreFinal = isNeverRead,
    carried,
  }: { rowsAreFinal?: boolean; isNeverRead?: boolean; carried?: CarriedRows } = {},
): WriterTable<{ readonly id: string } & RowOfColumns<Shape>> {
  type Row = { readonly id: string } & RowOfColumns<Shape>
  const table = describe<Row>(name, keptFor, columns)
  const list = table.columns
  const names = Object.keys(columns)
  const updates = names.filter((column) => column !== 'id').map((column) => `${column} = excluded.${column}`)
  const arrays = names.map((column, index) => `$${index + 1}::${columns[column]?.sql}[]`)
  // One index lookup per id: a plan cached while the table was small would scan the whole table from then on.
  const loadText =
    `select ${list} from unnest($1::text[]) as wanted (wanted_id) ` +
    `cross join lateral (select ${list} from ${name} where id = wanted_id offset 0) found`
  const saveText =
    `insert into ${name} (${list}) select * from unnest(${arrays.join(', ')})` +
    (rowsAreFinal ? '' : ` on conflict (id) do update set ${updates.join(', ')}`)
  return {
    ...table,
    isNeverRead,
    carried,
    load: (db, ids) => db.query<Row>(loadText, [arrayLiteral(ids)]),
    saveStatement: (rows) => ({
      text: saveText,
      params: names.map((column) => arrayLiteral(rows.map((row) => toText(row[column as keyof Row])))),
    }),
  }
}

/** The cast in the statement restores the type. */
function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return value instanceof Date ? value.toISOString() : String(value)
}

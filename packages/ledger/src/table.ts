import { arrayLiteral } from './array-literal.ts'
import type { Queryable, Statement } from './database.ts'

interface ColumnKind<Value> {
  readonly sql: 'text' | 'numeric' | 'timestamptz' | 'integer' | 'boolean'
  /** Carries the type only. */
  readonly value?: Value
}

/** Column kinds of a writer's table. */
export const column = {
  text: { sql: 'text' } as ColumnKind<string>,
  /** Text that is one of these. */
  oneOf: <Value extends string>(_values: readonly Value[]) => ({ sql: 'text' }) as ColumnKind<Value>,
  units: { sql: 'numeric' } as ColumnKind<bigint>,
  time: { sql: 'timestamptz' } as ColumnKind<Date>,
  integer: { sql: 'integer' } as ColumnKind<number>,
  boolean: { sql: 'boolean' } as ColumnKind<boolean>,
  optional: <Value>(kind: ColumnKind<Value>) => kind as ColumnKind<Value | null>,
}

type Columns = { readonly id: ColumnKind<string> } & Readonly<Record<string, ColumnKind<unknown>>>
type RowOf<Shape extends Columns> = { readonly id: string } & {
  readonly [Name in keyof Shape]: Shape[Name] extends ColumnKind<infer Value> ? Value : never
}

/** A table whose rows only the writer changes. `id` is its primary key. */
export interface Table<Row extends { readonly id: string }> {
  readonly name: string
  /** No command reads its rows, so the writer does not keep them in memory. */
  readonly isNeverRead: boolean
  load(db: Queryable, ids: readonly string[]): Promise<Row[]>
  /** Builds the statement that inserts rows, or replaces those that exist. */
  saveStatement(rows: readonly Row[]): Statement
}

/**
 * Describes a writer's table. One statement reads or writes any number of rows.
 *
 * @param name a table that a migration creates, with the columns in `columns`.
 * @param options.rowsAreFinal rows are written once and never updated, so the insert skips the conflict check.
 * @param options.isNeverRead the same, and no command reads them.
 */
export function defineTable<const Shape extends Columns>(
  name: string,
  columns: Shape,
  { isNeverRead = false, rowsAreFinal = isNeverRead }: { rowsAreFinal?: boolean; isNeverRead?: boolean } = {},
): Table<RowOf<Shape>> {
  const names = Object.keys(columns)
  const list = names.join(', ')
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
    name,
    isNeverRead,
    load: (db, ids) => db.query<RowOf<Shape>>(loadText, [arrayLiteral(ids)]),
    saveStatement: (rows) => ({
      text: saveText,
      params: names.map((column) => arrayLiteral(rows.map((row) => toText(row[column as keyof RowOf<Shape>])))),
    }),
  }
}

/** The cast in the statement restores the type. */
function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return value instanceof Date ? value.toISOString() : String(value)
}

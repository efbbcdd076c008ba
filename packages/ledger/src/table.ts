import { arrayLiteral } from './array-literal.ts'
import type { Queryable, Statement } from './database.ts'

interface ColumnKind<Value> {
  readonly sql: 'text' | 'numeric' | 'timestamptz' | 'integer' | 'boolean'
  /** Carries the type only. */
  readonly value?: Value
}

/** The columns a writer's table can have. */
export const column = {
  text: { sql: 'text' } as ColumnKind<string>,
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
  load(db: Queryable, ids: readonly string[]): Promise<Row[]>
  /** Writes rows whole, new or not. */
  saving(rows: readonly Row[]): Statement
}

/**
 * Describes a writer's table, so that any number of rows is read in one statement and written in one.
 *
 * @param name the table of a migration; its columns must be those of `columns`.
 * @param rowsAreFinal a row is written once and never again: to look for one that is there already would be in vain.
 */
export function defineTable<const Shape extends Columns>(
  name: string,
  columns: Shape,
  { rowsAreFinal = false }: { rowsAreFinal?: boolean } = {},
): Table<RowOf<Shape>> {
  const names = Object.keys(columns)
  const list = names.join(', ')
  const updates = names.filter((column) => column !== 'id').map((column) => `${column} = excluded.${column}`)
  const arrays = names.map((column, index) => `$${index + 1}::${columns[column]?.sql}[]`)
  // One look into the index for each: a plan that was made while the table was small would read all of it for ever.
  const loadText =
    `select ${list} from unnest($1::text[]) as wanted (wanted_id) ` +
    `cross join lateral (select ${list} from ${name} where id = wanted_id offset 0) found`
  const saveText =
    `insert into ${name} (${list}) select * from unnest(${arrays.join(', ')})` +
    (rowsAreFinal ? '' : ` on conflict (id) do update set ${updates.join(', ')}`)
  return {
    name,
    load: (db, ids) => db.query<RowOf<Shape>>(loadText, [arrayLiteral(ids)]),
    saving: (rows) => ({
      text: saveText,
      params: names.map((column) => arrayLiteral(rows.map((row) => textOf(row[column as keyof RowOf<Shape>])))),
    }),
  }
}

/** The cast in the statement restores the type. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return value instanceof Date ? value.toISOString() : String(value)
}

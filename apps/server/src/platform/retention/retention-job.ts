import { setTimeout as wait } from 'node:timers/promises'
import type { Queryable } from '@clearwell/ledger/database'
import { defineJob, type Job } from '../jobs/job.ts'

/** Rows that a job deletes once they are old enough. */
export interface DeletionRule {
  readonly table: string
  /** SQL on a row of the table: whether it may go. `$1` is the latest time that is old enough. */
  readonly condition: string
  /** How long such a row is kept, in milliseconds. */
  readonly keepMs: number
}

/** A step looks at this many rows: a few milliseconds. */
const FIRST_ROWS = 100
const MAX_ROWS = 1_000
/** A step that took longer looks at fewer rows next time, and at more if it took less. */
const LONG_MS = 8
const SHORT_MS = 3
/** After a step the job rests for this many times as long, so that it takes a twentieth of one connection. */
const REST_FACTOR = 19
const MAX_REST_MS = 250

/** The primary key of the last row that the steps before looked at, as text, and how many rows the next step looks at. */
type Position = { readonly after: readonly string[]; readonly rows: number }

/**
 * Defines the job that deletes old rows of a table once a day. It walks through the table in the order of its primary key, so
 * it needs no other index, which every insert would have to pay for (decision 0020). A step locks only the rows that it
 * deletes.
 *
 * @param rest waits this many milliseconds.
 */
export function retentionJob(
  { table, condition, keepMs }: DeletionRule,
  rest: (ms: number) => Promise<unknown> = wait,
): Job<null, Position> {
  let lastMs = 0
  /** Reading it takes as long as a step. */
  let key: readonly string[] | undefined
  return defineJob<null, Position>({
    name: `retention.${table.replaceAll('_', '-')}`,
    recurs: { dailyAt: '04:00' },
    async act({ state }) {
      if (state) await rest(Math.min(MAX_REST_MS, lastMs * REST_FACTOR))
    },
    async step(tx, { now, state: { after, rows } = { after: [], rows: FIRST_ROWS } }) {
      key ??= await primaryKeyOf(tx, table)
      const startedMs = performance.now()
      const last = await findLast(tx, { table, key, after, rows })
      const before = new Date(now.getTime() - keepMs)
      await deleteBetween(tx, { table, condition, key, after, last, before })
      lastMs = performance.now() - startedMs
      return last ? { next: { after: last, rows: nextRows(rows, lastMs) } } : 'done'
    },
  })
}

function nextRows(rows: number, tookMs: number): number {
  if (tookMs > LONG_MS) return Math.max(1, Math.floor(rows / 2))
  return tookMs < SHORT_MS ? Math.min(MAX_ROWS, rows * 2) : rows
}

/** The columns of the primary key, in their order. */
async function primaryKeyOf(tx: Queryable, table: string): Promise<string[]> {
  const columns = await tx.query<{ name: string }>(
    `/* retention */ select usage.column_name::text as name
     from information_schema.table_constraints as keys join information_schema.key_column_usage as usage
       using (constraint_schema, constraint_name, table_name)
     where keys.table_schema = current_schema() and keys.table_name = $1 and keys.constraint_type = 'PRIMARY KEY'
     order by usage.ordinal_position`,
    [table],
  )
  if (columns.length === 0) throw new Error(`${table} has no primary key, so its old rows cannot be deleted`)
  return columns.map(({ name }) => name)
}

interface Stretch {
  readonly table: string
  readonly key: readonly string[]
  readonly after: readonly string[]
}

/** Finds the key of the last row that a step looks at. @returns undefined if the stretch ends with the table. */
async function findLast(
  tx: Queryable,
  { table, key, after, rows }: Stretch & { readonly rows: number },
): Promise<string[] | undefined> {
  const [row] = await tx.query<Record<string, string>>(
    `/* retention */ select ${key.map((column) => `${column}::text as ${column}`).join(', ')} from ${table}
     where ${beyond(key, after, 1)} order by ${key.map((column) => `${table}.${column}`).join(', ')} offset ${rows - 1} limit 1`,
    after,
  )
  return row && key.map((column) => row[column] as string)
}

async function deleteBetween(
  tx: Queryable,
  {
    table,
    condition,
    key,
    after,
    last,
    before,
  }: Stretch & { readonly condition: string; readonly last: string[] | undefined; readonly before: Date },
): Promise<void> {
  const columns = `(${key.join(', ')})`
  const upTo = last ? `${columns} <= (${places(last, 2 + after.length)})` : 'true'
  await tx.query(
    `/* retention */ delete from ${table} where ${columns} in (
       select ${key.join(', ')} from ${table}
       where ${beyond(key, after, 2)} and ${upTo} and (${condition}) for update skip locked
     )`,
    [before, ...after, ...(last ?? [])],
  )
}

/** SQL: the row comes after the one with the key `after`. Without one it is every row. */
function beyond(key: readonly string[], after: readonly string[], from: number): string {
  return after.length === 0 ? 'true' : `(${key.join(', ')}) > (${places(after, from)})`
}

function places(values: readonly unknown[], from: number): string {
  return values.map((_, index) => `$${from + index}`).join(', ')
}

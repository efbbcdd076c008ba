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

/** A step deletes at most this many rows and reads at most this many pages: a few milliseconds. */
const MAX_ROWS = 500
const MAX_PAGES = 128
const FIRST_PAGES = 8
/** A step that took longer reads fewer pages next time, and more if it took less. */
const LONG_MS = 8
const SHORT_MS = 3
/** After a step the job rests for this many times as long, so that it takes a twentieth of one connection. */
const REST_FACTOR = 19
const MAX_REST_MS = 250

/** The page of the table where the next step begins, and how many it reads. */
type Position = { readonly page: number; readonly pages: number }

/**
 * Defines the job that deletes old rows of a table once a day. It walks through the table in the order in which the rows are
 * stored, so it needs no index, which every insert would have to pay for (decision 0020). A step locks only the rows that it
 * deletes.
 *
 * @param rest waits this many milliseconds.
 */
export function retentionJob(
  { table, condition, keepMs }: DeletionRule,
  rest: (ms: number) => Promise<unknown> = wait,
): Job<null, Position> {
  let lastMs = 0
  return defineJob<null, Position>({
    name: `retention.${table.replaceAll('_', '-')}`,
    recurs: { dailyAt: '04:00' },
    async act({ state }) {
      if (state) await rest(Math.min(MAX_REST_MS, lastMs * REST_FACTOR))
    },
    async step(tx, { now, state: { page, pages } = { page: 0, pages: FIRST_PAGES } }) {
      const startedMs = performance.now()
      const before = new Date(now.getTime() - keepMs)
      const deleted = await deleteIn(tx, { table, condition, before, page, pages })
      const isMore = deleted === MAX_ROWS || page + pages < (await countPages(tx, table))
      lastMs = performance.now() - startedMs
      if (!isMore) return 'done'
      return { next: { page: deleted === MAX_ROWS ? page : page + pages, pages: nextPages(pages, lastMs) } }
    },
  })
}

function nextPages(pages: number, tookMs: number): number {
  if (tookMs > LONG_MS) return Math.max(1, Math.floor(pages / 2))
  return tookMs < SHORT_MS ? Math.min(MAX_PAGES, pages * 2) : pages
}

/** Deletes rows that lie in a range of pages. @returns how many. */
async function deleteIn(
  tx: Queryable,
  { table, condition, before, page, pages }: Omit<DeletionRule, 'keepMs'> & Position & { readonly before: Date },
): Promise<number> {
  const [row] = await tx.query<{ deleted: number }>(
    `with gone as (
       delete from ${table} where ctid = any(array(
         select ctid from ${table}
         where ctid >= $2::tid and ctid < $3::tid and (${condition}) limit ${MAX_ROWS} for update skip locked
       )) returning 1
     ) select count(*)::integer as deleted from gone`,
    [before, `(${page},0)`, `(${page + pages},0)`],
  )
  return row?.deleted ?? 0
}

async function countPages(tx: Queryable, table: string): Promise<number> {
  const [row] = await tx.query<{ pages: number }>(
    `select (pg_relation_size($1::regclass) / current_setting('block_size')::integer)::integer as pages`,
    [table],
  )
  return row?.pages ?? 0
}

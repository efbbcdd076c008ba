import type { Database, Queryable } from '@clearwell/ledger/database'
import type { RowOf } from '@clearwell/ledger/table'
import { column, defineTable, until } from '@clearwell/ledger/table'
import type { Json } from './job.ts'

export const jobs = defineTable('jobs', until('30 days after its run ended: recurring jobs have one row each'), {
  name: column.text,
  key: column.text,
  input: column.optional(column.json<Json>()),
  due_at: column.time,
  state: column.optional(column.json<Json>()),
  step: column.integer,
  attempts: column.integer,
  retry_at: column.optional(column.time),
  last_error: column.optional(column.text),
  last_run_at: column.optional(column.time),
  finished_at: column.optional(column.time),
})

export interface JobKey {
  readonly name: string
  readonly key: string
}

/** A run that is due, and the number of its next step. */
export interface DueJob extends JobKey {
  readonly step: number
}

/** `state` is undefined before the first step. */
export type JobRow = Pick<RowOf<typeof jobs>, 'name' | 'key' | 'due_at' | 'step'> & {
  readonly input: Json
  readonly state: Json | undefined
}

/** A step's result on the row: the next step, the next run's time, or the end. */
export interface Progress {
  readonly state: Json | undefined
  readonly dueAt: Date
  readonly isFinished: boolean
}

/** A failed step waits this long, then twice as long each time, up to an hour. */
const FIRST_RETRY_S = 5
const LAST_RETRY_S = 3_600
const MAX_ERROR_LENGTH = 500

const IS_DUE = 'finished_at is null and coalesce(retry_at, due_at) <='

/** The only SQL on jobs. */
export function createJobStore(db: Database) {
  return {
    insert: (on: Queryable, row: JobKey & { readonly dueAt: Date; readonly input: Json }) =>
      on.query(
        'insert into jobs (name, key, due_at, input) values ($1, $2, $3, $4::jsonb) on conflict (name, key) do nothing',
        [row.name, row.key, row.dueAt, json(row.input)],
      ),

    /** Moves a run that has not begun to an earlier time. */
    moveForward: ({ name, key }: JobKey, dueAt: Date) =>
      db.query('update jobs set due_at = $3 where name = $1 and key = $2 and due_at > $3 and state is null', [
        name,
        key,
        dueAt,
      ]),

    /** Retries that a clock which went back has moved too far away. */
    limitRetries: (names: readonly string[], now: Date) =>
      db.query('update jobs set retry_at = $2 where name = any($1::text[]) and finished_at is null and retry_at > $2', [
        names,
        new Date(now.getTime() + LAST_RETRY_S * 1_000),
      ]),

    due: (names: readonly string[], now: Date, limit: number) =>
      db.query<DueJob>(
        `select name, key, step from jobs where ${IS_DUE} $2 and name = any($1::text[])
         order by coalesce(retry_at, due_at) limit $3`,
        [names, now, limit],
      ),

    read: ({ name, key }: JobKey, now: Date) =>
      one(db, `select ${jobs.columns} from jobs where name = $1 and key = $2 and ${IS_DUE} $3`, [name, key, now]),

    /** Holds the row until the transaction ends. Undefined while another server holds it, or when nothing is due any more. */
    hold: (tx: Queryable, { name, key }: JobKey, now: Date) =>
      one(tx, `select ${jobs.columns} from jobs where name = $1 and key = $2 and ${IS_DUE} $3 for update skip locked`, [
        name,
        key,
        now,
      ]),

    advance: (tx: Queryable, { name, key }: JobKey, { state, dueAt, isFinished }: Progress, now: Date) =>
      tx.query(
        `update jobs set state = $3::jsonb, due_at = $4, step = step + 1, attempts = 0, retry_at = null,
           last_run_at = $5, finished_at = case when $6::boolean then $5::timestamptz end
         where name = $1 and key = $2`,
        [name, key, json(state), dueAt, now, isFinished],
      ),

    /** Counts a failure, unless the step was committed meanwhile. */
    fail: ({ name, key, step }: DueJob, message: string, now: Date) =>
      db.query(
        `update jobs set attempts = attempts + 1, last_error = $4, last_run_at = $5,
           retry_at = $5::timestamptz
             + least(${FIRST_RETRY_S} * power(2, least(attempts, 20)), ${LAST_RETRY_S}) * interval '1 second'
         where name = $1 and key = $2 and step = $3 and finished_at is null`,
        [name, key, step, message.slice(0, MAX_ERROR_LENGTH), now],
      ),

    deleteFinished: (tx: Queryable, before: Date, limit: number) =>
      tx.query(
        `delete from jobs where (name, key) in (
           select name, key from jobs where finished_at < $1 order by finished_at limit $2
         ) returning name`,
        [before, limit],
      ),
  }
}

export type JobStore = ReturnType<typeof createJobStore>

/** Reads of each job when its oldest unfinished run is due, and the most failures in a row. */
export function readJobStates(db: Queryable): Promise<{ name: string; due_at: Date; attempts: number }[]> {
  return db.query(
    `select name, min(coalesce(retry_at, due_at)) as due_at, max(attempts) as attempts
     from jobs where finished_at is null group by name order by name limit 200`,
  )
}

async function one(on: Queryable, text: string, params: readonly unknown[]): Promise<JobRow | undefined> {
  const [row] = await on.query<Omit<JobRow, 'state'> & { state: Json }>(text, params)
  return row && { ...row, state: row.state ?? undefined }
}

function json(value: Json | undefined): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value)
}

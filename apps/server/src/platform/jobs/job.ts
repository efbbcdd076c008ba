import assert from 'node:assert/strict'
import type { Queryable } from '@clearwell/ledger/database'
import { DAY_MS } from '@clearwell/rules/spans'

/** A value that a row can store: store a Date or a bigint as text. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** A time of day in Hong Kong, `HH:MM`. */
type TimeOfDay = `${number}:${number}`

/**
 * When a job runs again. After a pause that was longer than the period (the server was down, the clock was moved) it runs
 * once; with `missed: 'each'` it runs once for every time it missed, in their order.
 */
export type Recurrence = ({ readonly everyMs: number } | { readonly dailyAt: TimeOfDay }) & {
  readonly missed?: 'once' | 'each'
}

export interface JobRun<Input extends Json, State extends Json> {
  /** The input from `schedule`; null for a recurring job. */
  readonly input: Input
  /** The previous step's result; undefined at the first step. */
  readonly state: State | undefined
  /** The moment that this run is for. */
  readonly dueAt: Date
  readonly now: Date
  /** The same each time this step is tried, and never the same for two steps. */
  readonly stepKey: string
}

/** `done` ends the run; `next` continues it with another step, also after a restart. */
export type StepResult<State extends Json> = 'done' | { readonly next: State }

export interface Job<Input extends Json = null, State extends Json = Json> {
  /** `<feature>.<what it does>`, for the rows and for reports. */
  readonly name: string
  /** Absent: each run is scheduled by `Jobs.schedule`. */
  readonly recurs?: Recurrence
  /**
   * Does the work of a step outside its transaction, such as a command of the ledger. If the server dies before the step
   * is committed, `act` runs again, so it uses `stepKey` as idempotency key.
   */
  readonly act?: (run: JobRun<Input, State>) => Promise<void>
  /**
   * One step, in one transaction with the job's row: either both are committed or neither. It handles a bounded batch, so
   * that it takes milliseconds, and calls nothing but the database.
   */
  readonly step: (tx: Queryable, run: JobRun<Input, State>) => Promise<StepResult<State>>
}

// biome-ignore lint/suspicious/noExplicitAny: a job of any input and state; each definition checks its own.
export type AnyJob = Job<any, any>

/**
 * Defines work that is due at a time. The leader runs it; a row of the database remembers how far it is.
 *
 * @example
 * const forgetOldReadings = defineJob({
 *   name: 'market.forget-old-readings',
 *   recurs: { dailyAt: '04:00' },
 *   async step(tx, { now }) {
 *     const deleted = await deleteReadings(tx, { before: new Date(now.getTime() - 30 * DAY_MS), limit: 1_000 })
 *     return deleted < 1_000 ? 'done' : { next: {} }
 *   },
 * })
 */
export function defineJob<Input extends Json = null, State extends Json = Json>(
  job: Job<Input, State>,
): Job<Input, State> {
  requireJobName(job.name)
  if (job.recurs && 'everyMs' in job.recurs) assert(job.recurs.everyMs >= 1_000, `${job.name} recurs too often`)
  if (job.recurs && 'dailyAt' in job.recurs) assert.match(job.recurs.dailyAt, /^([01]\d|2[0-3]):[0-5]\d$/)
  return job
}

/** @throws AssertionError where `name` is not `<feature>.<what it does>`. */
export function requireJobName(name: string): void {
  assert.match(name, /^[a-z][a-z-]*(\.[a-z][a-z-]*)+$/, `not a name of a job: ${name}`)
}

/** Hong Kong has had no daylight saving time since 1979. */
const HONG_KONG_MS = 8 * 3_600_000

/** When a job runs for the first time. */
export function firstDue(recurs: Recurrence, now: Date): Date {
  return 'everyMs' in recurs ? new Date(now.getTime() + recurs.everyMs) : nextAt(recurs.dailyAt, now)
}

/** When a job runs again after its run for `dueAt`. */
export function nextDue(recurs: Recurrence, dueAt: Date, now: Date): Date {
  const after = recurs.missed === 'each' || now < dueAt ? dueAt : now
  if ('dailyAt' in recurs) return nextAt(recurs.dailyAt, after)
  const periods = Math.floor((after.getTime() - dueAt.getTime()) / recurs.everyMs) + 1
  return new Date(dueAt.getTime() + periods * recurs.everyMs)
}

/** The first moment after `after` at which a clock in Hong Kong shows `time`. */
function nextAt(time: TimeOfDay, after: Date): Date {
  const [hours, minutes] = time.split(':').map(Number) as [number, number]
  const offsetMs = (hours * 60 + minutes) * 60_000 - HONG_KONG_MS
  const days = Math.floor((after.getTime() - offsetMs) / DAY_MS) + 1
  return new Date(days * DAY_MS + offsetMs)
}

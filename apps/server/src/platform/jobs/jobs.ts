import assert from 'node:assert/strict'
import type { Database, Queryable } from '@clearwell/ledger/database'
import { NotReady } from '@clearwell/ledger/writer'
import type { Report } from '../log/report.ts'
import type { Clock } from '../time/clock.ts'
import { type Repeated, repeat } from '../time/repeat.ts'
import type { Drain } from './drain.ts'
import { createJobStore, type DueJob, type JobStore } from './job.store.ts'
import { type AnyJob, defineJob, firstDue, type Job, type Json } from './job.ts'
import { runStep } from './run-step.ts'

const EVERY_MS = 1_000
/** How many due rows are read at a time. Each gets one step before any gets a second. */
const PER_ROUND = 50
/** How long a finished run stays: scheduling it again under the same key until then changes nothing. */
const KEEP_FINISHED_MS = 30 * 86_400_000
const DELETED_PER_STEP = 1_000
/** The key of a job that recurs, which has one row. */
const RECURRING = ''

export interface Jobs {
  /** Makes these known, before `start`. */
  add(jobs: readonly (AnyJob | Drain)[]): void
  /**
   * Schedules one run of a job that does not recur, together with the transaction `on` where that is one. The first
   * schedule under a key counts; later ones change nothing.
   */
  schedule<Input extends Json, State extends Json>(
    on: Queryable,
    job: Job<Input, State>,
    run: { readonly key: string; readonly dueAt: Date; readonly input: Input },
  ): Promise<void>
  start(): void
  /** Ends after the step in progress. */
  stop(): Promise<void>
  /** Runs everything that is due now, to its end. */
  runDue(): Promise<void>
  /** Runs every drain now. Each fails alone. @throws the first error, after all of them. */
  drain(): Promise<void>
  /** Does `work` while no drain runs: the local controls move the clock, and what drains read follows it. */
  hold(work: () => Promise<void>): Promise<void>
}

interface JobsDependencies {
  readonly db: Database
  readonly clock: Clock
  readonly isLeader: () => boolean
  readonly onError: Report
}

/**
 * Runs jobs on the leader. A row is held while its step runs and is advanced in the same transaction, so of two servers
 * that both believe to lead one runs the step, and a server that dies between two steps loses and repeats nothing.
 */
export function createJobs(deps: JobsDependencies): Jobs {
  const { db, clock, isLeader } = deps
  const store = createJobStore(db)
  const jobs = new Map<string, AnyJob>()
  const drains = createDrains(deps)
  /** True once this leader has created the rows of recurring jobs. */
  let isPrepared = false
  let isStopping = false

  function add(added: readonly (AnyJob | Drain)[]): void {
    for (const job of added) {
      assert(!jobs.has(job.name) && !drains.has(job.name), `two jobs are named ${job.name}`)
      if ('drain' in job) drains.add(job)
      else jobs.set(job.name, job)
    }
  }

  async function run(): Promise<void> {
    if (!isLeader()) {
      isPrepared = false
      return
    }
    if (!isPrepared) await prepareRows({ db, store }, [...jobs.values()], clock.now())
    isPrepared = true
    let hasMore = true
    while (hasMore) hasMore = await runRound()
  }

  /** One step of each row that is due. @returns whether there may be more to do now. */
  async function runRound(): Promise<boolean> {
    const due = await store.due([...jobs.keys()], clock.now(), PER_ROUND)
    let hasRun = false
    for (const each of due) {
      if (isStopping || !isLeader()) return false
      hasRun = (await tryStep({ ...deps, store }, jobs.get(each.name) as AnyJob, each)) || hasRun
    }
    return hasRun
  }

  add([forgetFinished(store)])
  const timer = repeat({ run, everyMs: EVERY_MS, onError: (error) => deps.onError(error, 'jobs') })

  return {
    add,
    async schedule(on, { name, recurs }, { key, dueAt, input }) {
      assert(!recurs && key !== RECURRING, `${name} cannot be scheduled under "${key}"`)
      await store.insert(on, { name, key, dueAt, input })
    },
    start() {
      for (const each of [timer, ...drains.timers()]) each.start()
    },
    async stop() {
      isStopping = true
      await Promise.all([timer, ...drains.timers()].map((each) => each.stop()))
    },
    runDue: timer.now,
    drain: drains.run,
    hold: drains.hold,
  }
}

/** The timers of drains, which run while this server leads. */
function createDrains(deps: JobsDependencies) {
  const timers = new Map<string, Repeated>()
  let isHeld = false
  const isLeader = () => deps.isLeader() && !isHeld
  return {
    has: (name: string) => timers.has(name),
    timers: () => [...timers.values()],
    add(drain: Drain) {
      timers.set(drain.name, repeatOnLeader(drain, { ...deps, isLeader }))
    },
    async run() {
      const errors: unknown[] = []
      for (const each of timers.values()) await each.now().catch((error: unknown) => errors.push(error))
      if (errors.length > 0) throw errors[0]
    },
    async hold(work: () => Promise<void>) {
      isHeld = true
      try {
        // Runs nothing, after the run in progress.
        await Promise.all([...timers.values()].map((each) => each.now()))
        await work()
      } finally {
        isHeld = false
      }
    },
  }
}

/** A timer that drains while this server leads. */
function repeatOnLeader({ name, everyMs, drain }: Drain, { isLeader, onError }: JobsDependencies): Repeated {
  return repeat({
    async run() {
      if (isLeader()) await drain()
    },
    everyMs,
    onError: (error) => onError(error, `job ${name}`),
  })
}

/**
 * Runs one step of a row, or stores and reports why it failed.
 *
 * @returns whether a step was committed.
 */
async function tryStep(
  { db, clock, store, onError }: JobsDependencies & { readonly store: JobStore },
  job: AnyJob,
  due: DueJob,
): Promise<boolean> {
  const now = clock.now()
  try {
    return await runStep({ db, store }, job, due, now)
  } catch (error) {
    // The database is away or another server leads: the step is due again there.
    if (error instanceof NotReady) throw error
    await store.fail(due, error instanceof Error ? error.message : String(error), now)
    onError(error, `job ${job.name}`)
    return false
  }
}

/** Sees to the rows of jobs that recur, and to times that are too far away. */
async function prepareRows(
  { db, store }: { readonly db: Database; readonly store: JobStore },
  jobs: readonly AnyJob[],
  now: Date,
): Promise<void> {
  for (const { name, recurs } of jobs) {
    if (!recurs) continue
    const row = { name, key: RECURRING, dueAt: firstDue(recurs, now), input: null }
    await store.insert(db, row)
    // The period is shorter now, or the clock went back. A job that counts every time has done those.
    if (recurs.missed !== 'each') await store.moveForward(row, row.dueAt)
  }
  await store.limitRetries(
    jobs.map(({ name }) => name),
    now,
  )
}

function forgetFinished(store: JobStore): AnyJob {
  return defineJob({
    name: 'jobs.forget-finished',
    recurs: { everyMs: 86_400_000 },
    async step(tx, { now }) {
      const before = new Date(now.getTime() - KEEP_FINISHED_MS)
      const deleted = await store.deleteFinished(tx, before, DELETED_PER_STEP)
      return deleted.length < DELETED_PER_STEP ? 'done' : { next: {} }
    },
  })
}

import type { Database, Queryable } from '@clearwell/ledger/database'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { NotReady } from '@clearwell/ledger/writer'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MIGRATION_FOLDERS } from '../database/open-database.ts'
import { defineDrain } from './drain.ts'
import { type AnyJob, defineJob } from './job.ts'
import { createJobs } from './jobs.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const EFFECTS = 'create table effects (id serial primary key, text text not null)'

let db: Database
let nowMs: number
let errors: string[]
beforeEach(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS, EFFECTS)
  nowMs = Date.parse('2026-11-21T09:00:00Z')
  errors = []
})
afterEach(() => db.close())

interface ServerOptions {
  readonly isLeader?: () => boolean
  /** This server's connection to the database. */
  readonly database?: Database
}

/** The jobs of one server, whose timer is the test. */
function server(jobs: readonly AnyJob[], { isLeader = () => true, database = db }: ServerOptions = {}) {
  const made = createJobs({
    db: database,
    clock: { now: () => new Date(nowMs) },
    isLeader,
    onError: (error, task) => errors.push(`${task}: ${(error as Error).message}`),
  })
  made.add(jobs)
  return made
}

const write = (on: Queryable, text: string) => on.query('insert into effects (text) values ($1)', [text])
const effects = async () =>
  (await db.query<{ text: string }>('select text from effects order by id')).map(({ text }) => text)
const rowOf = async (name: string) =>
  (
    await db.query<{
      step: number
      attempts: number
      last_error: string | null
      due_at: Date
      finished_at: Date | null
      state: unknown
    }>('select step, attempts, last_error, due_at, finished_at, state from jobs where name = $1', [name])
  )[0]

/** Counts to `to`, one step for each number. */
const counting = (to: number, options: Partial<AnyJob> = {}) =>
  defineJob<null, { next: number }>({
    name: 'test.count',
    async step(tx, { state = { next: 1 } }) {
      await write(tx, String(state.next))
      return state.next === to ? 'done' : { next: { next: state.next + 1 } }
    },
    ...options,
  })

/** Fails at its first step. */
const failing = (error: Error) =>
  counting(1, {
    step: async () => {
      throw error
    },
  })

/** A database that is gone once `commits` transactions have begun: the last one ends before or after its commit. */
function dyingAfter(commits: number, { isCommitted }: { isCommitted: boolean }): Database {
  let begun = 0
  const die = () => {
    throw new NotReady('this server is dead')
  }
  return {
    ...db,
    query: (text, params) => (begun >= commits ? die() : db.query(text, params)),
    async transaction(work) {
      begun++
      if (begun > commits) die()
      const result = await db.transaction(async (tx) => {
        const made = await work(tx)
        return begun === commits && !isCommitted ? die() : made
      })
      return begun === commits ? die() : result
    },
  }
}

test('a scheduled run waits for its time, then finishes all steps', async () => {
  const job = counting(3)
  const jobs = server([job])
  await jobs.schedule(db, job, { key: 'one', dueAt: new Date(nowMs + HOUR_MS), input: null })
  await jobs.runDue()
  nowMs += HOUR_MS - 1
  await jobs.runDue()
  expect(await effects()).toEqual([])
  nowMs += 1
  await jobs.runDue()
  await jobs.runDue()
  expect(await effects()).toEqual(['1', '2', '3'])
  expect(await rowOf('test.count')).toMatchObject({ step: 3, attempts: 0, state: null, finished_at: new Date(nowMs) })
})

test.each([
  ['before', false],
  ['after', true],
])("a server that dies %s a step's commit loses and repeats nothing", async (_when, isCommitted) => {
  for (let commits = 1; commits <= 5; commits++) {
    await db.query('delete from effects')
    const job = counting(5)
    const key = `run-${commits}`
    await server([job]).schedule(db, job, { key, dueAt: new Date(nowMs), input: null })
    await expect(server([job], { database: dyingAfter(commits, { isCommitted }) }).runDue()).rejects.toThrow('is dead')
    expect(await effects()).toHaveLength(isCommitted ? commits : commits - 1)
    await server([job]).runDue()
    expect(await effects()).toEqual(['1', '2', '3', '4', '5'])
  }
  expect(errors).toEqual([])
})

test('concurrent leaders run each step once', async () => {
  const job = counting(5)
  const servers = Array.from({ length: 4 }, () => server([job]))
  for (let run = 0; run < 10; run++)
    await servers[0]?.schedule(db, job, { key: `run-${run}`, dueAt: new Date(nowMs), input: null })
  for (let round = 0; round < 5; round++) await Promise.all(servers.map((each) => each.runDue()))
  expect((await effects()).toSorted()).toEqual(['1', '2', '3', '4', '5'].flatMap((each) => Array(10).fill(each)))
  expect(errors).toEqual([])
})

test('a server runs no job until it is the leader', async () => {
  const job = counting(1)
  let isLeader = false
  const jobs = server([job], { isLeader: () => isLeader })
  await jobs.schedule(db, job, { key: 'one', dueAt: new Date(nowMs), input: null })
  await jobs.runDue()
  expect(await effects()).toEqual([])
  isLeader = true
  await jobs.runDue()
  expect(await effects()).toEqual(['1'])
})

test('a server that stops leading runs no further job', async () => {
  let isLeader = true
  const last = counting(1, {
    async step(tx) {
      await write(tx, 'last')
      isLeader = false
      return 'done'
    },
  })
  const next = defineJob({ ...counting(1), name: 'test.next' })
  const jobs = server([last, next], { isLeader: () => isLeader })
  await jobs.schedule(db, last, { key: 'one', dueAt: new Date(nowMs - 1), input: null })
  await jobs.schedule(db, next, { key: 'one', dueAt: new Date(nowMs), input: null })
  await jobs.runDue()
  expect(await effects()).toEqual(['last'])
  isLeader = true
  await jobs.runDue()
  expect(await effects()).toEqual(['last', '1'])
})

test('a follower creates no rows of recurring jobs', async () => {
  await server([ticking({ everyMs: HOUR_MS })], { isLeader: () => false }).runDue()
  expect(await rowOf('test.tick')).toBeUndefined()
})

test('a server that leads again shortens times that are too far', async () => {
  let isLeader = true
  nowMs += 10_000 * HOUR_MS
  const jobs = server([ticking({ everyMs: HOUR_MS })], { isLeader: () => isLeader })
  await jobs.runDue()
  isLeader = false
  await jobs.runDue()
  isLeader = true
  nowMs -= 10_000 * HOUR_MS
  await jobs.runDue()
  expect((await rowOf('test.tick'))?.due_at).toEqual(new Date(nowMs + HOUR_MS))
})

test('a server that stops runs no further job', async () => {
  const job = counting(1)
  const jobs = server([job])
  await jobs.schedule(db, job, { key: 'one', dueAt: new Date(nowMs), input: null })
  await jobs.stop()
  await jobs.runDue()
  expect(await effects()).toEqual([])
})

test('a started server stops after the run in progress', async () => {
  const job = counting(1)
  const order: string[] = []
  let end = () => {}
  const drain = async () => {
    order.push('begun')
    await new Promise<void>((resolve) => (end = resolve))
    order.push('ended')
  }
  const jobs = server([job])
  jobs.add([defineDrain({ name: 'test.drain', everyMs: 1_000, drain })])
  await jobs.schedule(db, job, { key: 'one', dueAt: new Date(nowMs), input: null })
  jobs.start()
  await expect.poll(async () => [await effects(), order]).toEqual([['1'], ['begun']])
  const stopped = jobs.stop().then(() => order.push('stopped'))
  await effects()
  end()
  await stopped
  expect(order).toEqual(['begun', 'ended', 'stopped'])
})

test('a job that recurs is scheduled by its period alone', async () => {
  const dueAt = new Date(nowMs)
  const jobs = server([])
  const schedule = (job: AnyJob, key: string) => jobs.schedule(db, job, { key, dueAt, input: null })
  await expect(schedule(ticking({ everyMs: HOUR_MS }), 'one')).rejects.toThrow('test.tick cannot be scheduled')
  await expect(schedule(counting(1), '')).rejects.toThrow('test.count cannot be scheduled under ""')
})

test('the first committed schedule under a key counts', async () => {
  const job = defineJob<{ text: string }>({
    name: 'test.say',
    async step(tx, { input }) {
      await write(tx, input.text)
      return 'done'
    },
  })
  const jobs = server([job])
  const say = (on: Queryable, key: 'a' | 'b', text: string) =>
    jobs.schedule(on, job, { key, dueAt: new Date(key === 'a' ? nowMs - 1 : nowMs), input: { text } })
  const rolledBack = db.transaction(async (tx) => {
    await say(tx, 'a', 'rolled back')
    throw new Error('no')
  })
  await expect(rolledBack).rejects.toThrow('no')
  await say(db, 'a', 'first')
  await say(db, 'a', 'second')
  await say(db, 'b', 'other')
  await jobs.runDue()
  await say(db, 'a', 'third')
  await jobs.runDue()
  expect(await effects()).toEqual(['first', 'other'])
})

const ticking = (recurs: AnyJob['recurs']) =>
  defineJob({
    name: 'test.tick',
    ...(recurs ? { recurs } : {}),
    async step(tx, { dueAt }) {
      await write(tx, dueAt.toISOString().slice(11, 16))
      return 'done'
    },
  })

test('a recurring job runs once after a jump over several periods', async () => {
  const jobs = server([ticking({ everyMs: HOUR_MS })])
  await jobs.runDue()
  expect(await effects()).toEqual([])
  nowMs += HOUR_MS
  await jobs.runDue()
  nowMs += 30 * HOUR_MS + MINUTE_MS
  await jobs.runDue()
  await jobs.runDue()
  expect(await effects()).toEqual(['10:00', '11:00'])
  expect((await rowOf('test.tick'))?.due_at).toEqual(new Date('2026-11-22T17:00:00Z'))
})

test('a job with missed each runs for every missed time in order', async () => {
  const jobs = server([ticking({ everyMs: HOUR_MS, missed: 'each' })])
  await jobs.runDue()
  nowMs += 4 * HOUR_MS
  await jobs.runDue()
  expect(await effects()).toEqual(['10:00', '11:00', '12:00', '13:00'])
})

test('a clock set back leaves missed each at its time', async () => {
  const jobsOf = () => server([ticking({ everyMs: HOUR_MS, missed: 'each' })])
  await jobsOf().runDue()
  const dueAt = new Date(nowMs + HOUR_MS)
  nowMs -= 10 * HOUR_MS
  await jobsOf().runDue()
  expect((await rowOf('test.tick'))?.due_at).toEqual(dueAt)
})

test('a clock set back delays no retry for more than an hour', async () => {
  let isBroken = true
  const job = counting(1, {
    async step(tx) {
      if (isBroken) throw new Error('broken')
      await write(tx, 'mended')
      return 'done'
    },
  })
  const jobs = server([job])
  nowMs += 10_000 * HOUR_MS
  await jobs.schedule(db, job, { key: 'one', dueAt: new Date(nowMs - 20_000 * HOUR_MS), input: null })
  await jobs.runDue()
  isBroken = false
  nowMs -= 10_000 * HOUR_MS
  const restarted = server([job])
  await restarted.runDue()
  nowMs += HOUR_MS
  await restarted.runDue()
  expect(await effects()).toEqual(['mended'])
})

test('a clock set back neither delays nor repeats a recurring job', async () => {
  nowMs += 10_000 * HOUR_MS
  const jobsOf = () => server([ticking({ everyMs: HOUR_MS })])
  await jobsOf().runDue()
  nowMs -= 10_000 * HOUR_MS
  await jobsOf().runDue()
  nowMs += HOUR_MS
  await jobsOf().runDue()
  expect(await effects()).toEqual(['10:00'])
})

test('a failed step is reported and retried with growing delays', async () => {
  let isBroken = true
  const job = counting(2, {
    async step(tx, { state }) {
      await write(tx, state ? 'second' : 'first')
      if (state && isBroken) throw new Error('broken')
      return state ? 'done' : { next: { next: 2 } }
    },
  })
  const jobs = server([job])
  await jobs.schedule(db, job, { key: 'one', dueAt: new Date(nowMs), input: null })
  for (const pauseS of [5, 10, 20, 40]) {
    await jobs.runDue()
    nowMs += pauseS * 1_000 - 1
    const before = errors.length
    await jobs.runDue()
    expect(errors).toHaveLength(before)
    nowMs += 1
  }
  expect(errors).toEqual(Array(4).fill('job test.count: broken'))
  expect(await rowOf('test.count')).toMatchObject({ step: 1, attempts: 4, last_error: 'broken', finished_at: null })
  expect(await effects()).toEqual(['first'])
  isBroken = false
  await jobs.runDue()
  expect(await effects()).toEqual(['first', 'second'])
  expect(await rowOf('test.count')).toMatchObject({ step: 2, attempts: 0, last_error: 'broken' })
})

test('a part that is not ready is no failure of the job', async () => {
  const job = failing(new NotReady('the chain cannot be read'))
  const jobs = server([job])
  await jobs.schedule(db, job, { key: 'one', dueAt: new Date(nowMs), input: null })
  await expect(jobs.runDue()).rejects.toThrow('the chain cannot be read')
  expect([await rowOf('test.count'), errors]).toMatchObject([{ attempts: 0, last_error: null }, []])
})

test('a step that fails for days is retried hourly', async () => {
  const job = failing(new Error('broken'))
  const jobs = server([job])
  await jobs.schedule(db, job, { key: 'one', dueAt: new Date(nowMs), input: null })
  for (let hour = 0; hour < 40; hour++) {
    await jobs.runDue()
    nowMs += HOUR_MS
  }
  expect(errors).toHaveLength(40)
})

test('a failing job delays no other job', async () => {
  const broken = defineJob({ ...failing(new Error('broken')), name: 'test.broken' })
  const job = counting(3)
  const jobs = server([broken, job])
  await jobs.schedule(db, broken, { key: 'one', dueAt: new Date(nowMs - 1), input: null })
  await jobs.schedule(db, job, { key: 'one', dueAt: new Date(nowMs), input: null })
  await jobs.runDue()
  expect(await effects()).toEqual(['1', '2', '3'])
  expect(errors).toEqual(['job test.broken: broken'])
})

test('a retried act keeps its step key, and each step differs', async () => {
  const keys: string[] = []
  const job = counting(2, {
    async act({ stepKey }) {
      keys.push(stepKey)
    },
  })
  await server([job]).schedule(db, job, { key: 'one', dueAt: new Date(nowMs), input: null })
  await expect(server([job], { database: dyingAfter(1, { isCommitted: false }) }).runDue()).rejects.toThrow('is dead')
  await server([job]).runDue()
  expect(keys).toEqual(['test.count:one:0', 'test.count:one:0', 'test.count:one:1'])
})

test('finished runs are forgotten after a month', async () => {
  const job = counting(1)
  const jobs = server([job])
  await jobs.schedule(db, job, { key: 'one', dueAt: new Date(nowMs), input: null })
  await jobs.runDue()
  nowMs += 29 * 24 * HOUR_MS
  await jobs.runDue()
  expect(await rowOf('test.count')).toBeDefined()
  nowMs += 2 * 24 * HOUR_MS
  await jobs.runDue()
  expect(await rowOf('test.count')).toBeUndefined()
})

test('more finished runs than one step deletes are all forgotten', async () => {
  await db.query(
    `insert into jobs (name, key, due_at, finished_at)
     select 'test.count', 'run ' || number, $1, $1 from generate_series(1, 2001) number`,
    [new Date(nowMs)],
  )
  const jobs = server([])
  await jobs.runDue()
  nowMs += 31 * 24 * HOUR_MS
  await jobs.runDue()
  expect(await rowOf('test.count')).toBeUndefined()
})

test('two jobs of one name are a bug', () => {
  expect(() => server([counting(1), counting(2)])).toThrow('two jobs')
})

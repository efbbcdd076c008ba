import type { Command } from '@clearwell/ledger/command'
import type { Database } from '@clearwell/ledger/database'
import { Refusal } from '@clearwell/ledger/refusal'
import { expectBooksBalanced, openTestDatabase } from '@clearwell/ledger/testing/database'
import { Writer } from '@clearwell/ledger/writer'
import { MIGRATION_FOLDERS } from '@clearwell/server/src/platform/database/open-database.ts'
import { defineJob } from '@clearwell/server/src/platform/jobs/job.ts'
import { createJobs } from '@clearwell/server/src/platform/jobs/jobs.ts'
import { openTrustedClock, type TrustedClock } from '@clearwell/server/src/platform/time/trusted-clock.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

const NOON_MS = Date.parse('2026-11-22T12:00:00Z')
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let db: Database
let trueMs: number
const writers: Writer[] = []
beforeEach(async () => {
  trueMs = NOON_MS
  db = await openTestDatabase(MIGRATION_FOLDERS)
})
afterEach(async () => {
  for (const writer of writers.splice(0)) await writer.close()
  await expectBooksBalanced(db)
  await db.close()
})

interface Server {
  readonly writer: Writer
  readonly clock: TrustedClock
  readonly alarms: string[]
  /** Moves the clock of this machine only. */
  jump(ms: number): void
}

async function startServer(holder: string): Promise<Server> {
  let aheadMs = 0
  const alarms: string[] = []
  const clock = await openTrustedClock({
    system: { now: () => new Date(trueMs + aheadMs) },
    elapsedMs: () => trueMs - NOON_MS,
    readWitness: async () => new Date(trueMs),
    onStep: (error) => alarms.push(error.message),
    onError: (error) => alarms.push(String(error)),
  })
  const writer = await Writer.open({ db, clock, randomId: () => holder, holder, leaseTtlMs: 60_000 })
  writers.push(writer)
  return {
    writer,
    clock,
    alarms,
    jump(ms) {
      aheadMs += ms
    },
  }
}

/** Moves a unit, if it is decided within ten minutes of the client's time, as a swap is. */
function swapWithDeadline(key: string): Command<null> {
  const deadline = new Date(trueMs + 10 * MINUTE_MS)
  const postings = [
    { account: 'vault', asset: 'USDT', units: -1n },
    { account: 'user:ann:available', asset: 'USDT', units: 1n },
  ]
  return {
    kind: 'swap',
    owner: 'ann',
    key,
    payload: {},
    preload: [],
    decide(_state, { now }) {
      if (now > deadline) throw new Refusal('price_moved')
      if (now.getTime() < trueMs - MINUTE_MS) throw new Error('decided in the past')
      return { entries: [{ kind: 'swap', reference: key, postings }], response: null }
    },
  }
}

async function expectTrueTimes(count: number): Promise<void> {
  const rows = await db.query<{ at: Date }>('select at from entries order by seq')
  const times = rows.map(({ at }) => at.getTime())
  expect(times).toHaveLength(count)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(times.at(-1)).toBe(trueMs)
}

test.each([
  ['forward', HOUR_MS],
  ['back', -HOUR_MS],
])('a clock that jumps an hour %s freezes no swap', async (_direction, jumpMs) => {
  const first = await startServer('first')
  await first.writer.execute(swapWithDeadline('before'))
  first.jump(jumpMs)
  trueMs += MINUTE_MS
  await first.writer.execute(swapWithDeadline('jumped'))
  await first.clock.check()
  expect(first.alarms).toHaveLength(1)
  // The same key again, by a client that saw no response.
  await first.writer.execute(swapWithDeadline('jumped'))
  trueMs += MINUTE_MS
  await first.writer.close()
  const second = await startServer('second')
  await second.writer.execute(swapWithDeadline('taken over'))
  await expectTrueTimes(3)
})

test('an entry from the future freezes no swap', async () => {
  const early = await Writer.open({
    db,
    clock: { now: () => new Date(trueMs + HOUR_MS) },
    randomId: () => 'early',
    holder: 'early',
    leaseTtlMs: 60_000,
  })
  await early.execute({ ...swapWithDeadline('future'), decide: () => ({ ...swapPlan(), response: null }) })
  await early.close()
  const server = await startServer('server')
  await server.writer.execute(swapWithDeadline('now'))
  const rows = await db.query<{ at: Date }>('select at from entries order by seq')
  expect(rows.map(({ at }) => at.getTime())).toEqual([trueMs + HOUR_MS, trueMs + HOUR_MS])
})

function swapPlan() {
  const postings = [
    { account: 'vault', asset: 'USDT', units: -1n },
    { account: 'user:ann:available', asset: 'USDT', units: 1n },
  ]
  return { entries: [{ kind: 'swap', reference: 'future', postings }] }
}

test.each([
  ['forward', HOUR_MS],
  ['back', -HOUR_MS],
])('a jump of an hour %s runs no job twice', async (_direction, jumpMs) => {
  const server = await startServer('server')
  const runs: string[] = []
  const job = defineJob({
    name: 'test.half-hourly',
    recurs: { everyMs: HOUR_MS / 2 },
    async step(_tx, { dueAt }) {
      runs.push(dueAt.toISOString())
      return 'done'
    },
  })
  const jobs = createJobs({
    db,
    clock: server.clock,
    isLeader: () => true,
    onError: (error) => runs.push(String(error)),
  })
  jobs.add([job])
  await jobs.runDue()
  server.jump(jumpMs)
  await server.clock.check()
  await jobs.runDue()
  expect(runs).toEqual([])
  trueMs += HOUR_MS / 2
  await jobs.runDue()
  server.jump(-jumpMs)
  await server.clock.check()
  await jobs.runDue()
  expect(runs).toEqual([new Date(NOON_MS + HOUR_MS / 2).toISOString()])
})

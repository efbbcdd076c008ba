import type { Database } from '@clearwell/ledger/database'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MIGRATION_FOLDERS } from '../database/open-database.ts'
import { createJobStore } from './job.store.ts'
import { watchLateJobs } from './late-jobs.ts'

const START = new Date('2026-01-01T00:00:00Z')
let db: Database
beforeAll(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
})
afterAll(() => db.close())

test('the leader logs a late job once, and its recovery', async () => {
  const store = createJobStore(db)
  await store.insert(db, { name: 'day.close', key: '', dueAt: START, input: null })
  await store.insert(db, { name: 'day.open', key: '', dueAt: START, input: null })
  let now = START
  let isLeader = true
  const seen: object[] = []
  const logEvent = (event: string, fields: object) => seen.push({ event, ...fields })
  const onError = (error: unknown) => seen.push({ error })
  const watch = watchLateJobs({ db, clock: { now: () => now }, isLeader: () => isLeader, logEvent, onError })
  now = new Date('2026-01-01T00:04:59Z')
  await watch.now()
  expect(seen).toEqual([])
  now = new Date('2026-01-01T00:05:00Z')
  isLeader = false
  await watch.now()
  expect(seen).toEqual([])
  isLeader = true
  await watch.now()
  const late = ['day.close', 'day.open'].map((job) => ({ event: 'job_late', job, seconds: 300, failures: 0 }))
  expect(seen.splice(0)).toEqual(late)
  await watch.now()
  expect(seen).toEqual([])
  const dueAt = new Date('2026-01-02T00:00:00Z')
  await store.advance(db, { name: 'day.close', key: '' }, { state: undefined, dueAt, isFinished: false }, now)
  await watch.now()
  await watch.now()
  expect(seen.splice(0)).toEqual([{ event: 'job_caught_up', job: 'day.close' }])
  isLeader = false
  await watch.now()
  isLeader = true
  await watch.now()
  expect(seen).toEqual(late.slice(1))
})

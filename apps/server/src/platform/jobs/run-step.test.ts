import type { Database, Queryable } from '@clearwell/ledger/database'
import { expect, test } from 'vitest'
import type { JobRow, JobStore } from './job.store.ts'
import { defineJob } from './job.ts'
import { runStep } from './run-step.ts'

const NOW = new Date('2026-11-21T09:00:00Z')
const KEY = { name: 'test.job', key: 'one' }
const ROW: JobRow = { ...KEY, due_at: NOW, step: 0, input: null, state: undefined }

/** Runs a step where the row is first read and then held like this. */
async function runWith({ read, held }: { read: JobRow | undefined; held: JobRow | undefined }) {
  const done: string[] = []
  const job = defineJob({
    name: 'test.job',
    act: async () => void done.push('act'),
    async step() {
      done.push('step')
      return 'done'
    },
  })
  const store = {
    read: async () => read,
    hold: async () => held,
    async advance() {
      done.push('advance')
      return []
    },
  } as Partial<JobStore> as JobStore
  const db = { transaction: (work: (tx: Queryable) => unknown) => work({} as Queryable) } as unknown as Database
  return { hasRun: await runStep({ db, store }, job, KEY, NOW), done }
}

test('the work of a step comes before its transaction', async () => {
  expect(await runWith({ read: ROW, held: ROW })).toEqual({ hasRun: true, done: ['act', 'step', 'advance'] })
})

test('a row that another server has run already is left alone', async () => {
  expect(await runWith({ read: undefined, held: ROW })).toEqual({ hasRun: false, done: [] })
})

test('work for a step that another server has committed commits nothing', async () => {
  expect(await runWith({ read: ROW, held: undefined })).toEqual({ hasRun: false, done: ['act'] })
  expect(await runWith({ read: ROW, held: { ...ROW, step: 1 } })).toEqual({ hasRun: false, done: ['act'] })
})

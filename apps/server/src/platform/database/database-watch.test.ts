import type { Database } from '@clearwell/ledger/database'
import { expect, test } from 'vitest'
import { createDatabaseWatch } from './database-watch.ts'

const MINUTE = 60_000

/** A database whose standbys and limit of connections the test sets. */
function openWatch() {
  const state = { standbys: ['standby1'], allowed: 100 }
  const said: string[] = []
  let atMs = 0
  const watch = createDatabaseWatch({
    db: {
      kind: 'postgres',
      query: async () => [{ standbys: state.standbys, is_synchronous: false, allowed: state.allowed, servers: 1 }],
    } as unknown as Database,
    database: { readConnections: 10, replicaConnections: 5 },
    env: { readDatabaseUrl: undefined },
    logEvent: () => {},
    recorder: { set: () => {} },
    report: (error, task) => said.push(`${task}: ${(error as Error).message.slice(0, 46)}`),
    nowMs: () => atMs,
  })
  const lookFor = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++, atMs += MINUTE) await watch.now()
    return said.splice(0).length
  }
  return { state, lookFor }
}

test('a lasting fault of replication is reported once an hour', async () => {
  const { lookFor } = openWatch()
  expect(await lookFor(60)).toBe(1)
  expect(await lookFor(60)).toBe(1)
  expect(await lookFor(1)).toBe(1)
})

test('a fault of replication is reported again when it changes or returns', async () => {
  const { state, lookFor } = openWatch()
  expect(await lookFor(5)).toBe(1)
  state.standbys = ['standby1', 'standby2']
  expect(await lookFor(5)).toBe(1)
  state.standbys = []
  expect(await lookFor(5)).toBe(0)
  state.standbys = ['standby1', 'standby2']
  expect(await lookFor(5)).toBe(1)
})

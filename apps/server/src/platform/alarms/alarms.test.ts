import type { Database } from '@clearwell/ledger/database'
import { LeaseLost } from '@clearwell/ledger/lease'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { NotReady } from '@clearwell/ledger/writer'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { ChainDisagreement, ChainFault } from '../chain/chain-fault.ts'
import { MIGRATION_FOLDERS } from '../database/open-database.ts'
import { type AlarmRow, type AlarmStore, createAlarmStore } from './alarm.store.ts'
import { ALARMS, alarmKindOf } from './alarm-kinds.ts'
import { createAlarms } from './alarms.ts'

let db: Database
let store: AlarmStore
let now = new Date('2026-01-01T00:00:00Z')
const raised: string[] = []
beforeAll(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
  store = createAlarmStore(db)
})
beforeEach(async () => {
  await db.query('delete from alarms')
  raised.length = 0
})
afterAll(() => db.close())

function open() {
  return createAlarms({
    now: () => now,
    redact: (text) => text.replaceAll('hunter2', '[secret]'),
    onRaised: ({ kind }) => raised.push(kind),
  })
}

test('repetitions of an alarm share one row with times and count', async () => {
  const alarms = open()
  // Raised before the database is open.
  alarms.raise('watcher_halted', 'block 17 was 0xabc when it was credited, password hunter2')
  alarms.start(store)
  now = new Date('2026-01-01T01:00:00Z')
  alarms.raise('watcher_halted', 'block 18 was 0xdef when it was credited, password hunter2')
  alarms.raise('node_fault', 'no response')
  await alarms.stop()
  expect(await store.latest(10)).toEqual([
    {
      kind: 'node_fault',
      subject: 'no response',
      message: 'no response',
      first_at: now,
      last_at: now,
      count: 1n,
    },
    {
      kind: 'watcher_halted',
      subject: 'block # was # when it was credited, password [secret]',
      message: 'block 18 was 0xdef when it was credited, password [secret]',
      first_at: new Date('2026-01-01T00:00:00Z'),
      last_at: now,
      count: 2n,
    },
  ])
  expect(raised).toEqual(['watcher_halted', 'watcher_halted', 'node_fault'])
})

test('alarms wait in memory and are stored once the database is back', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  try {
    let isAway = true
    const stored: AlarmRow[] = []
    const alarms = open()
    alarms.start({ add: async (rows) => (isAway ? Promise.reject(new Error('away')) : void stored.push(...rows)) })
    alarms.raise('database_away', 'no connection')
    await vi.advanceTimersByTimeAsync(1_500)
    alarms.raise('database_away', 'no connection')
    await vi.advanceTimersByTimeAsync(20_000)
    isAway = false
    await vi.advanceTimersByTimeAsync(1_000)
    expect(stored).toMatchObject([{ kind: 'database_away', count: 2n }])
    await alarms.stop()
  } finally {
    vi.useRealTimers()
  }
})

test('a condition that goes on is raised again until it ends', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  try {
    const stored: AlarmRow[] = []
    let halted: string | undefined = 'block 5 was replaced'
    const alarms = open()
    alarms.watch(() => (halted === undefined ? undefined : { kind: 'watcher_halted', message: halted }))
    alarms.start({ add: async (rows) => void stored.push(...rows) })
    await vi.advanceTimersByTimeAsync(95_000)
    expect(stored.map(({ kind }) => kind)).toEqual(['watcher_halted', 'watcher_halted', 'watcher_halted'])
    halted = undefined
    await vi.advanceTimersByTimeAsync(95_000)
    expect(stored).toHaveLength(3)
    await alarms.stop()
  } finally {
    vi.useRealTimers()
  }
})

test('many different messages of a kind become one alarm', async () => {
  const alarms = open()
  for (let letter = 0; letter < 5_000; letter++)
    alarms.raise('request_failed', `bug ${letter.toString(2).replaceAll('0', 'a').replaceAll('1', 'b')}`)
  alarms.start(store)
  await alarms.stop()
  const rows = await store.latest(1_000)
  expect(rows.length).toBeLessThanOrEqual(101)
  expect(rows.reduce((sum, { count }) => sum + count, 0n)).toBe(5_000n)
})

test.each([
  [new Error('block 5 was replaced'), 'watcher halted', 'watcher_halted'],
  [new LeaseLost(), 'writer lease lost', 'lease_lost'],
  [new ChainDisagreement('head', 'the nodes differ'), 'watcher', 'node_disagreement'],
  [new Error('named', { cause: new ChainDisagreement('head', 'differ') }), 'signer', 'node_disagreement'],
  [new ChainFault('malformed', 'not hex'), 'watcher', 'node_fault'],
  [new Error('3 base units are missing'), 'solvency', 'insolvent'],
  [new Error('jumped'), 'clock', 'clock_step'],
  [new NotReady('the database is away'), 'watcher', 'database_away'],
  [new Error('SIGKILL'), 'local chain', 'local_chain_exited'],
  [new Error('broken'), 'job wallet.expire', 'job_failed'],
  [new TypeError('bug'), 'request', 'request_failed'],
  [new TypeError('bug'), 'elsewhere', 'other'],
] as const)('%s of task %s is %s', (error, task, kind) => {
  expect(alarmKindOf(error, task)).toBe(kind)
  expect(ALARMS).toHaveProperty(kind)
})

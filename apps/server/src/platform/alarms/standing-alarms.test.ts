import type { Queryable } from '@clearwell/ledger/database'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AlarmRow } from './alarm.store.ts'
import { createAlarms } from './alarms.ts'
import { standingAlarms } from './standing-alarms.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a different configuration is an alarm until the servers agree', async () => {
  let keys = ['swap.quoteTtlMs']
  const conditions = standingAlarms({
    db: { query: async () => [] } as Queryable,
    watcher: { halted: undefined },
    gate: { refusal: undefined },
    isChainRunning: () => true,
    writer: { isWriting: false },
    servers: { configDifference: async () => (keys.length === 0 ? undefined : { leader: 'http://10.0.0.1', keys }) },
  })
  const stored: AlarmRow[] = []
  const alarms = createAlarms({ now: () => new Date(), redact: (text) => text, onRaised: () => {} })
  for (const find of conditions) alarms.watch(find)
  alarms.start({ add: async (rows) => void stored.push(...rows) })
  await vi.advanceTimersByTimeAsync(95_000)
  const message = 'this server and the leader at http://10.0.0.1 have different values of swap.quoteTtlMs'
  expect(stored.map((row) => [row.kind, row.message])).toEqual(Array(3).fill(['config_differs', message]))
  keys = []
  await vi.advanceTimersByTimeAsync(95_000)
  expect(stored).toHaveLength(3)
  await alarms.stop()
})

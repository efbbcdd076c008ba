import { expect, test } from 'vitest'
import { createReplicaState } from './replica-state.ts'

const LAG_MS = 10_000

/** A replica that the test changes, and a state whose clock is the test's. */
function openState() {
  const replica = { position: 7n, age_ms: 500, origin: 'aa', isDown: false }
  const alarms: string[] = []
  const lags: (number | undefined)[] = []
  let nowMs = 0
  const state = createReplicaState({
    pool: {
      connect: async () => ({
        async query<Row extends object>(text: string) {
          if (replica.isDown) throw new Error('down')
          return [text.includes('entries') ? { hash: replica.origin } : replica] as unknown as Row[]
        },
        release: () => {},
      }),
    },
    primary: { read: async () => 7n },
    readOwnOrigin: async () => 'aa',
    lagMs: LAG_MS,
    recorder: { set: (_name, values) => lags.push(values[0]?.value) },
    report: (error) => alarms.push((error as Error).message),
    nowMs: () => nowMs,
  })
  const lookFor = async (seconds: number) => {
    for (let second = 0; second < seconds; second++, nowMs += 1_000) await state.now()
    return state.isUsable
  }
  return { replica, alarms, lags, lookFor }
}

test('a replica is used while it has this ledger and keeps up', async () => {
  const { replica, lags, lookFor } = openState()
  expect(await lookFor(1)).toBe(true)
  Object.assign(replica, { position: 6n, age_ms: 9_000 })
  expect(await lookFor(1)).toBe(true)
  replica.age_ms = 11_000
  expect(await lookFor(1)).toBe(false)
  expect(lags).toEqual([0, 9, 11])
})

test('a replica with another ledger is never used', async () => {
  const { replica, alarms, lookFor } = openState()
  replica.origin = 'bb'
  expect(await lookFor(12)).toBe(false)
  expect(alarms).toEqual(['the replica at READ_DATABASE_URL does not have this ledger: reads go to the primary'])
})

test('a replica that stays away is one alarm', async () => {
  const { replica, alarms, lookFor } = openState()
  await lookFor(1)
  replica.isDown = true
  expect(await lookFor(9)).toBe(false)
  expect(alarms).toEqual([])
  await lookFor(60)
  expect(alarms).toEqual(['the replica at READ_DATABASE_URL does not answer: reads go to the primary'])
})

import { beforeEach, expect, test } from 'vitest'
import { openTrustedClock, type TrustedClock } from './trusted-clock.ts'

const NOON_MS = Date.parse('2026-11-22T12:00:00Z')
const HOUR_MS = 3_600_000

/** How far each clock is ahead of the true time, which is `trueMs`. */
let trueMs: number
let systemAheadMs: number
let databaseAheadMs: number
let elapsedMs: number
let steps: string[]
let clock: TrustedClock
beforeEach(async () => {
  trueMs = NOON_MS
  elapsedMs = 5_000
  systemAheadMs = 0
  databaseAheadMs = 0
  steps = []
  await open()
})

async function open(): Promise<void> {
  clock = await openTrustedClock({
    system: { now: () => new Date(trueMs + systemAheadMs) },
    elapsedMs: () => elapsedMs,
    readWitness: async () => new Date(trueMs + databaseAheadMs),
    onStep: (error) => steps.push(error.message),
    onError: (error) => {
      throw error
    },
  })
}

function pass(ms: number): void {
  trueMs += ms
  elapsedMs += ms
}

const errorMs = () => clock.now().getTime() - trueMs

test("follows this server's clock while it agrees with the database", async () => {
  pass(HOUR_MS)
  systemAheadMs = 300
  expect(errorMs()).toBe(300)
  await clock.check()
  expect(steps).toEqual([])
})

test.each([
  ['forward', HOUR_MS],
  ['back', -HOUR_MS],
])('ignores a jump of an hour %s and reports it once', async (_direction, jumpMs) => {
  systemAheadMs = jumpMs
  pass(100)
  expect(errorMs()).toBe(0)
  await clock.check()
  pass(60_000)
  await clock.check()
  expect(errorMs()).toBe(0)
  expect(steps).toEqual([
    `this server's clock jumped and is not followed; ahead of the database by: ${jumpMs / 1_000} s`,
  ])
  systemAheadMs = 0
  await clock.check()
  expect(errorMs()).toBe(0)
})

test('follows a step that the database confirms', async () => {
  trueMs += HOUR_MS
  expect(errorMs()).toBe(-HOUR_MS)
  await clock.check()
  expect(errorMs()).toBe(0)
  expect(steps).toEqual(['the clock stepped together with that of the database: 3600 s'])
})

test('the clock does not follow a jump of the database', async () => {
  databaseAheadMs = HOUR_MS
  await clock.check()
  expect(errorMs()).toBe(0)
  expect(steps).toHaveLength(1)
  expect(steps[0]).toContain('contradict each other')
})

test("starts with the time of the database if the server's differs", async () => {
  systemAheadMs = HOUR_MS
  await open()
  expect(errorMs()).toBe(0)
  expect(steps).toHaveLength(1)
})

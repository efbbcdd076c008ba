import { beforeEach, expect, test } from 'vitest'
import type { NewestRoot } from '../../platform/chain/exit-vault.ts'
import { type RootWatch, watchRoots } from './watch-roots.ts'

const NOON = new Date('2026-11-28T12:00:00Z')
const MINUTE_MS = 60_000

let now: Date
let newest: NewestRoot | undefined
let alarms: string[]
let roots: RootWatch
beforeEach(() => {
  now = NOON
  newest = { number: 1n, cursorBlock: 1n, postedAt: NOON, seq: 1 }
  alarms = []
  roots = watchRoots({
    newestRoot: async () => newest,
    clock: { now: () => now },
    onError: (error, task) => alarms.push(`${task}: ${(error as Error).message}`),
  })
})

async function lookAfter(minutes: number): Promise<void> {
  now = new Date(NOON.getTime() + minutes * MINUTE_MS)
  await roots.look()
}

test('an alarm is raised half an hour before trading stops', async () => {
  await lookAfter(89)
  expect([roots.ageSeconds, alarms]).toEqual([89 * 60, []])
  await lookAfter(90)
  await lookAfter(149)
  expect(alarms).toEqual([
    'roots: no root was posted since 2026-11-28T12:00:00.000Z: after 2 hours trading stops, after 24 hours no money comes in or out',
  ])
  await lookAfter(150)
  expect(alarms).toHaveLength(2)
})

test('the age counts from the first look before the first root', async () => {
  newest = undefined
  expect(roots.ageSeconds).toBeUndefined()
  await lookAfter(10)
  await lookAfter(100)
  expect([roots.ageSeconds, alarms.length]).toEqual([90 * 60, 1])
})

test('the age counts from the last known root, and is never negative', async () => {
  await lookAfter(-10)
  expect(roots.ageSeconds).toBe(0)
  newest = undefined
  await lookAfter(20)
  expect([roots.ageSeconds, alarms]).toEqual([20 * 60, []])
})

test('a fault of posting is raised once an hour', () => {
  for (const minutes of [0, 59, 60]) {
    now = new Date(NOON.getTime() + minutes * MINUTE_MS)
    roots.note('the vault refuses header 3: VaultPaused')
  }
  expect(alarms).toEqual(Array(2).fill('roots: the vault refuses header 3: VaultPaused'))
})

test('an alarm is raised when gas suffices for less than a week', () => {
  roots.noteGas(undefined)
  roots.noteGas(168)
  expect(alarms).toEqual([])
  roots.noteGas(167.9)
  roots.noteGas(160)
  expect(alarms).toEqual(['roots: the account that posts headers has gas for 167 hours: send it the native coin'])
})

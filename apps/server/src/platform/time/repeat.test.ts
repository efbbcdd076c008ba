import { NotReady } from '@clearwell/ledger/writer'
import { expect, test } from 'vitest'
import { repeat } from './repeat.ts'

test('looks never overlap, including requested ones', async () => {
  let under = 0
  let most = 0
  let count = 0
  const run = async () => {
    most = Math.max(most, ++under)
    await new Promise((resolve) => setImmediate(resolve))
    under--
    count++
  }
  const repeated = repeat({ run, everyMs: 1, onError: () => {} })
  repeated.start()
  await Promise.all([repeated.now(), repeated.now(), repeated.now()])
  await expect.poll(() => count).toBeGreaterThan(5)
  await repeated.stop()
  expect(most).toBe(1)
})

test('a fault is reported once until a look succeeds, NotReady never', async () => {
  const faults = ['away', 'away', new NotReady('another writes'), undefined, 'away']
  const reported: string[] = []
  let looks = 0
  const run = async () => {
    const fault = faults[looks++]
    if (fault !== undefined) throw fault instanceof Error ? fault : new Error(fault)
  }
  const repeated = repeat({ run, everyMs: 1, onError: (error) => reported.push((error as Error).message) })
  repeated.start()
  await expect.poll(() => looks).toBeGreaterThan(faults.length)
  await repeated.stop()
  expect(reported).toEqual(['away', 'away'])
})

test('a requested look rejects with its error', async () => {
  const repeated = repeat({ run: () => Promise.reject(new Error('broken')), everyMs: 1, onError: () => {} })
  await expect(repeated.now()).rejects.toThrow('broken')
})

test('a woken timer looks after the gap, once for many wakes', async () => {
  let looks = 0
  const run = async () => {
    looks++
  }
  const repeated = repeat({ run, everyMs: 60_000, gapMs: 20, onError: () => {} })
  repeated.start()
  repeated.wake()
  await expect.poll(() => looks).toBe(1)
  for (let wake = 0; wake < 3; wake++) repeated.wake()
  await new Promise((resolve) => setImmediate(resolve))
  expect(looks).toBe(1)
  await expect.poll(() => looks).toBe(2)
  await repeated.stop()
})

test('a wake during a look leads to another look', async () => {
  let looks = 0
  const repeated = repeat({
    async run() {
      if (looks++ === 0) repeated.wake()
    },
    everyMs: 60_000,
    onError: () => {},
  })
  repeated.start()
  repeated.wake()
  await expect.poll(() => looks).toBe(2)
  await repeated.stop()
})

test('a stopped timer ignores wakes', async () => {
  let looks = 0
  const run = async () => {
    looks++
  }
  const repeated = repeat({ run, everyMs: 1, onError: () => {} })
  repeated.start()
  await repeated.stop()
  const stoppedAt = looks
  repeated.wake()
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(looks).toBe(stoppedAt)
})

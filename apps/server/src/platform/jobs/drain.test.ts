import type { Database } from '@clearwell/ledger/database'
import { expect, test } from 'vitest'
import { defineDrain, drainRows } from './drain.ts'
import { createJobs } from './jobs.ts'

test('acts on each due row once, in batches', async () => {
  const due = ['a', 'b', 'c', 'd', 'e']
  const batches: (readonly string[])[] = []
  const drain = drainRows({
    limit: 2,
    read: async (limit) => due.slice(0, limit),
    idOf: (id) => id,
    async act(ids) {
      batches.push(ids)
      due.splice(0, ids.length)
    },
  })
  await drain()
  expect(batches).toEqual([['a', 'b'], ['c', 'd'], ['e']])
})

test('leaves a row that stays due to the next run', async () => {
  const batches: (readonly string[])[] = []
  const drain = drainRows({
    limit: 1,
    read: async () => ['stuck'],
    idOf: (id) => id,
    act: async (ids) => batches.push(ids),
  })
  await drain()
  await drain()
  expect(batches).toEqual([['stuck'], ['stuck']])
})

test('drains nothing on a follower', async () => {
  let isLeader = false
  let runs = 0
  const jobs = createJobs({
    db: undefined as unknown as Database,
    clock: { now: () => new Date() },
    isLeader: () => isLeader,
    onError: () => {},
  })
  jobs.add([defineDrain({ name: 'test.drain', everyMs: 1_000, drain: async () => void runs++ })])
  await jobs.drain()
  isLeader = true
  await jobs.drain()
  expect(runs).toBe(1)
})

test('held work waits for a drain in progress, and none runs meanwhile', async () => {
  const order: string[] = []
  const jobs = createJobs({
    db: undefined as unknown as Database,
    clock: { now: () => new Date() },
    isLeader: () => true,
    onError: () => {},
  })
  const drain = async () => {
    order.push('begin')
    await new Promise((resolve) => setTimeout(resolve, 100))
    order.push('end')
  }
  jobs.add([defineDrain({ name: 'test.drain', everyMs: 1_000, drain })])
  const first = jobs.drain()
  await expect.poll(() => order).toEqual(['begin'])
  await jobs.hold(async () => {
    await jobs.drain()
    order.push('held')
  })
  await Promise.all([first, jobs.drain()])
  expect(order).toEqual(['begin', 'end', 'held', 'begin', 'end'])
})

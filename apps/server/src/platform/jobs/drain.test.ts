import type { Database } from '@clearwell/ledger/database'
import { expect, test } from 'vitest'
import { defineDrain, drainRows } from './drain.ts'
import { createJobs } from './jobs.ts'

/** Jobs of a leader without a database. */
function openJobs(isLeader = () => true) {
  const order: string[] = []
  const jobs = createJobs({
    db: undefined as unknown as Database,
    clock: { now: () => new Date() },
    isLeader,
    onError: (error, task) => order.push(`${task}: ${(error as Error).message}`),
  })
  return { jobs, order }
}

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

test.each(['drain', 'A.b', ' a.b', 'a.b ', 'a.'])('%j is no name of a drain', (name) => {
  expect(() => defineDrain({ name, everyMs: 1_000, drain: async () => {} })).toThrow('not a name of a job')
})

test('a drain has the name of a job', () => {
  expect(defineDrain({ name: 'a.b-c.d', everyMs: 1_000, drain: async () => {} }).name).toBe('a.b-c.d')
})

test('drains nothing on a follower', async () => {
  let isLeader = false
  let runs = 0
  const { jobs } = openJobs(() => isLeader)
  jobs.add([defineDrain({ name: 'test.drain', everyMs: 1_000, drain: async () => void runs++ })])
  await jobs.drain()
  isLeader = true
  await jobs.drain()
  expect(runs).toBe(1)
})

test('held work waits for a drain in progress, and none runs meanwhile', async () => {
  const { jobs, order } = openJobs()
  const drain = async () => {
    order.push('begin')
    await new Promise((resolve) => setTimeout(resolve, 100))
    order.push('end')
  }
  jobs.add([defineDrain({ name: 'test.drain', everyMs: 1_000, drain })])
  const first = jobs.drain()
  await expect.poll(() => order).toEqual(['begin'])
  await jobs.hold(async () => {
    order.push('held')
    await jobs.drain()
  })
  await Promise.all([first, jobs.drain()])
  expect(order).toEqual(['begin', 'end', 'held', 'begin', 'end'])
})

test('a drain that fails keeps no other from its run', async () => {
  const { jobs, order } = openJobs()
  const failing = async () => {
    throw new Error('broken')
  }
  jobs.add([defineDrain({ name: 'test.broken', everyMs: 1_000, drain: failing })])
  jobs.add([defineDrain({ name: 'test.drain', everyMs: 1_000, drain: async () => void order.push('drained') })])
  await expect(jobs.drain()).rejects.toThrow('broken')
  expect(order).toEqual(['drained'])
})

test('two drains of one name are a bug', () => {
  const { jobs } = openJobs()
  const drain = defineDrain({ name: 'test.drain', everyMs: 1_000, drain: async () => {} })
  jobs.add([drain])
  expect(() => jobs.add([drain])).toThrow('two jobs are named test.drain')
})

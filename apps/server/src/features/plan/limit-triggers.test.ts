import { E18 } from '@clearwell/money/scale'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLimitTriggers } from './limit-triggers.ts'
import type { LimitSide, WaitingLimit } from './plan.store.ts'
import type { LimitOutcome } from './run-limit.ts'

const POOL = { id: 'bnb-usdt', base: 'BNB', quote: 'USDT', symbol: 'BNBUSDT' } as const

/** The limits of the database, the nearest first. */
let stored: WaitingLimit[]
let priceE18: bigint
let isInMemory: boolean
let outcome: LimitOutcome
/** The ids of each group of due limits. */
let groups: string[][]
let reads: number
/** Reads of the database fail with it. */
let readFailure: Error | undefined
/** How often reserves were read from memory and from the database. */
let fromMemory: number
let fromDatabase: number
let isLeader: boolean
/** Runs of limits wait for it. */
let held: Promise<void> | undefined
/** The run of the last limit of a group fails with it. */
let failure: Error | undefined
let errors: unknown[]

beforeEach(() => {
  stored = []
  priceE18 = 600n * E18
  isInMemory = true
  outcome = 'made'
  groups = []
  reads = 0
  readFailure = undefined
  fromMemory = 0
  fromDatabase = 0
  isLeader = true
  held = undefined
  failure = undefined
  errors = []
})

afterEach(() => {
  expect(errors).toEqual(failure ? [failure] : [])
})

const reserves = () => ({ base: E18, quote: priceE18 })
function openTriggers() {
  return createLimitTriggers({
    store: {
      async nearestLimits({ inverse }: LimitSide, limit: number) {
        reads += 1
        if (readFailure) throw readFailure
        return stored.filter((each) => each.inverse === inverse).slice(0, limit)
      },
    },
    pools: () => [POOL],
    reserves() {
      fromMemory += 1
      return isInMemory ? reserves() : undefined
    },
    async readReserves() {
      fromDatabase += 1
      return reserves()
    },
    run(_pool, due) {
      const ids = due.map(({ id }) => id)
      groups.push(ids)
      if (outcome !== 'waits' && !failure) stored = stored.filter(({ id }) => !ids.includes(id))
      return due.map(async ({ id }) => {
        await held
        if (failure && id === ids.at(-1)) throw failure
        return outcome
      })
    },
    isLeader: () => isLeader,
    onError: (error) => errors.push(error),
  })
}

function store(price: number, { inverse = false, id = `at-${price}` } = {}): void {
  const due = { userId: 'trader', parentId: null, poolId: POOL.id, amount: E18, priceE18: BigInt(price) * E18 }
  stored.push({ ...due, id, inverse, triggerE18: BigInt(price) * E18 })
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('runs what a commit reached, the nearest first, and nothing else', async () => {
  for (const price of [610, 620, 630]) store(price)
  store(590, { inverse: true })
  const triggers = openTriggers()
  await triggers.reloadAll()
  triggers.check()
  expect(groups).toEqual([])
  priceE18 = 620n * E18
  triggers.check()
  expect(groups).toEqual([['at-610', 'at-620']])
  await settled()
  priceE18 = 590n * E18
  triggers.check()
  expect(groups.slice(1)).toEqual([['at-590']])
  await settled()
})

test('reads nothing for a commit that reaches no limit', async () => {
  store(610)
  const triggers = openTriggers()
  await triggers.reloadAll()
  const before = [reads, fromMemory] as const
  for (let commit = 0; commit < 100; commit++) triggers.check()
  await settled()
  // Of the side without limits not even the reserves.
  expect([reads - before[0], fromMemory - before[1], fromDatabase, groups]).toEqual([0, 100, 0, []])
})

test('runs at most 8 at a time, until none is due', async () => {
  for (let number = 0; number < 50; number++) store(601, { id: `limit-${number}` })
  const triggers = openTriggers()
  await triggers.reloadAll()
  priceE18 = 601n * E18
  await triggers.reloadAll()
  expect(groups.map(({ length }) => length)).toEqual([8, 8, 8, 8, 8, 8, 2])
  expect(groups.flat()).toEqual(Array.from({ length: 50 }, (_, number) => `limit-${number}`))
})

test('reads no limits before the known ones have run', async () => {
  store(601)
  const triggers = openTriggers()
  await triggers.reloadAll()
  priceE18 = 601n * E18
  const before = reads
  const { promise, resolve } = Promise.withResolvers<void>()
  held = promise
  const reloaded = triggers.reload({ poolId: POOL.id, inverse: false })
  await settled()
  expect([groups, reads - before]).toEqual([[['at-601']], 0])
  resolve()
  await reloaded
  expect([groups, reads - before]).toEqual([[['at-601']], 1])
})

test('asks with one limit while the pool does not trade', async () => {
  for (const id of ['a', 'b', 'c']) store(600, { id })
  outcome = 'waits'
  const triggers = openTriggers()
  await triggers.reloadAll()
  expect(groups).toEqual([['a', 'b', 'c']])
  triggers.check()
  await settled()
  expect(groups).toHaveLength(1)
  await triggers.reloadAll()
  expect(groups.slice(1)).toEqual([['a']])
  outcome = 'made'
  await triggers.reloadAll()
  expect(groups.slice(2)).toEqual([['a'], ['b', 'c']])
})

test('a new leader reads the reserves that it has not in memory', async () => {
  store(600)
  isInMemory = false
  await openTriggers().reloadAll()
  // Only for the side that has limits, and once more after the run.
  expect([groups, fromDatabase]).toEqual([[['at-600']], 1])
})

test('a commit of a pool without reserves in memory runs nothing', async () => {
  store(610)
  const triggers = openTriggers()
  await triggers.reloadAll()
  isInMemory = false
  priceE18 = 610n * E18
  triggers.check()
  await settled()
  expect([groups, fromDatabase]).toEqual([[], 0])
  await triggers.reloadAll()
  expect([groups, fromDatabase]).toEqual([[['at-610']], 1])
})

test('runs nothing on a server that is not the leader', async () => {
  store(600)
  isLeader = false
  const triggers = openTriggers()
  await triggers.reloadAll()
  triggers.check()
  await settled()
  expect(groups).toEqual([])
  isLeader = true
  triggers.check()
  await settled()
  expect(groups).toEqual([['at-600']])
})

test('commits of due limits make none due while they run', async () => {
  for (const price of [605, 606, 607]) store(price)
  const triggers = openTriggers()
  await triggers.reloadAll()
  priceE18 = 605n * E18
  triggers.check()
  priceE18 = 606n * E18
  triggers.check()
  expect(groups).toEqual([['at-605']])
  await settled()
  // Those that became due meanwhile follow.
  expect(groups).toEqual([['at-605'], ['at-606']])
})

test('reports a limit that fails, and stops its side', async () => {
  for (const id of ['a', 'b']) store(610, { id })
  const triggers = openTriggers()
  await triggers.reloadAll()
  failure = new Error('a bug')
  priceE18 = 610n * E18
  // The other one is made.
  for (let commit = 0; commit < 2; commit++) {
    triggers.check()
    await settled()
  }
  await triggers.reload({ poolId: POOL.id, inverse: false })
  expect(groups).toEqual([['a', 'b']])
})

test('reports a read that fails after a run, and reads again', async () => {
  for (const price of [610, 620]) store(price)
  const triggers = openTriggers()
  await triggers.reloadAll()
  readFailure = new Error('no connection')
  priceE18 = 610n * E18
  triggers.check()
  await settled()
  await expect(triggers.reloadAll()).rejects.toThrow('no connection')
  expect(errors).toEqual([readFailure])
  errors = []
  readFailure = undefined
  priceE18 = 620n * E18
  await triggers.reloadAll()
  expect(groups).toEqual([['at-610'], ['at-620']])
})

test('a change during a read is read again, once', async () => {
  const triggers = openTriggers()
  const side = { poolId: POOL.id, inverse: false }
  const first = triggers.reload(side)
  const others = [triggers.reload(side), triggers.reload(side)]
  store(600)
  await Promise.all([first, ...others])
  // The first read, that of both others, and one after the run.
  expect([reads, groups.flat()]).toEqual([3, ['at-600']])
  await triggers.reload(side)
  expect(reads).toBe(4)
})

test('limits of a pool that is not configured wait', async () => {
  store(600)
  const triggers = openTriggers()
  await triggers.reload({ poolId: 'rt-usdt', inverse: false })
  expect(groups).toEqual([])
})

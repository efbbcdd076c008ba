import type { Database } from '@clearwell/ledger/database'
import type { ReadConnection } from '@clearwell/ledger/read-pool'
import { NotReady } from '@clearwell/ledger/writer'
import { expect, test } from 'vitest'
import { createReplicaReads } from './replica-reads.ts'
import { createTakeReplica } from './take-replica.ts'

const NO_WRITES = Object.assign(new Error('cannot execute UPDATE in a read-only transaction'), { code: '25006' })

const LOST = Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' })

/**
 * A primary and a replica that say which of them ran a statement. The replica refuses to write.
 *
 * @param isLeftAloneFirst the replica is not offered to the first that asks.
 * @param isLostFirst the first connection to the replica is lost.
 */
function openReads({ isLeftAloneFirst = false, isLostFirst = false } = {}) {
  const ran: string[] = []
  const state = { taken: 0, released: 0 }
  const lost: boolean[] = []
  let isLeftAlone = isLeftAloneFirst
  let fault: Error | undefined
  const primary = {
    kind: 'postgres',
    query: async (text: string) => {
      if (fault) throw fault
      ran.push(`primary: ${text}`)
      return []
    },
    transaction: (work: (tx: unknown) => Promise<unknown>) => work(primary),
  }
  const connection: ReadConnection = {
    async query(text) {
      if (text.startsWith('update')) throw NO_WRITES
      ran.push(`replica: ${text}`)
      return []
    },
    release: () => {
      state.released++
    },
  }
  const lostConnection: ReadConnection = {
    query: () => Promise.reject(LOST),
    release: (isLost = false) => void lost.push(isLost),
  }
  const reads = createReplicaReads({
    db: primary as unknown as Database,
    pool: { state: { pool: 'replica', busy: 0, idle: 0, waiting: 0 } },
    primary: { read: async () => 1n },
    state: { isSameLedger: true },
    take: async () => {
      if (isLeftAlone) {
        isLeftAlone = false
        return undefined
      }
      state.taken++
      return isLostFirst && state.taken === 1 ? lostConnection : connection
    },
  })
  /** From now on the primary is away. */
  const fail = (error: Error) => {
    fault = error
  }
  return { ran, state, lost, reads, fail }
}

test('a call reads through one connection, and others use the primary', async () => {
  const { ran, state, reads } = openReads()
  await reads.db.query('before')
  await reads.run(() => Promise.all([reads.db.query('one'), reads.db.query('two')]))
  await reads.db.query('after')
  expect(ran).toEqual(['primary: before', 'replica: one', 'replica: two', 'primary: after'])
  expect(state).toEqual({ taken: 1, released: 1 })
})

test('a read that writes goes on at the primary', async () => {
  const { ran, state, reads } = openReads()
  await reads.run(async () => {
    await reads.db.query('one')
    await reads.db.query('update')
    await reads.db.query('two')
  })
  expect(ran).toEqual(['replica: one', 'primary: update', 'primary: two'])
  expect(state.released).toBe(1)
})

test('a transaction that writes runs again at the primary', async () => {
  const { ran, reads } = openReads()
  await reads.run(() =>
    reads.db.transaction(async (tx) => {
      await tx.query('one')
      await tx.query('update')
    }),
  )
  expect(ran).toEqual(['replica: begin', 'replica: one', 'replica: rollback', 'primary: one', 'primary: update'])
})

test('work that outlives its call uses the primary', async () => {
  const { ran, reads } = openReads()
  const ended = Promise.withResolvers<void>()
  let later: Promise<unknown> = Promise.resolve()
  await reads.run(async () => {
    later = ended.promise.then(() => reads.db.query('late'))
  })
  ended.resolve()
  await later
  expect(ran).toEqual(['primary: late'])
})

test('without its primary a call reads a replica that was left alone', async () => {
  const { ran, state, reads, fail } = openReads({ isLeftAloneFirst: true })
  fail(new NotReady('no route'))
  await reads.run(() => Promise.all([reads.db.query('one'), reads.db.query('two')]))
  expect(ran).toEqual(['replica: one', 'replica: two'])
  expect(state).toEqual({ taken: 1, released: 1 })
})

test('without its primary a call takes another connection for a lost one', async () => {
  const { ran, state, lost, reads, fail } = openReads({ isLostFirst: true })
  fail(new NotReady('no route'))
  await reads.run(() => Promise.all([reads.db.query('one'), reads.db.query('two')]))
  expect(ran).toEqual(['replica: one', 'replica: two'])
  expect(state).toEqual({ taken: 2, released: 1 })
  // The lost connection is given back once, and closed.
  expect(lost).toEqual([true])
})

test('a call whose connection is lost goes on at the primary', async () => {
  const { ran, reads } = openReads({ isLostFirst: true })
  await reads.run(async () => {
    await reads.db.query('one')
    await reads.db.query('two')
  })
  expect(ran).toEqual(['primary: one', 'primary: two'])
})

test('without its primary a transaction runs on such a replica', async () => {
  const { ran, reads, fail } = openReads({ isLeftAloneFirst: true })
  fail(new NotReady('no route'))
  await reads.run(() => reads.db.transaction((tx) => tx.query('one')))
  expect(ran).toEqual(['replica: begin', 'replica: one', 'replica: commit'])
})

test('a call that has read the primary uses no older replica', async () => {
  const { ran, reads, fail } = openReads({ isLeftAloneFirst: true })
  const reading = reads.run(async () => {
    await reads.db.query('one')
    fail(new NotReady('no route'))
    await reads.db.query('two')
  })
  await expect(reading).rejects.toThrow('no route')
  expect(ran).toEqual(['primary: one'])
})

test.each([
  ['less than the bound behind when the primary was lost', 39_999, undefined, 'replica_alone'],
  ['further behind when the primary was lost', 40_001, 6n, 'primary'],
  ['up to date though its copy is old', 40_001, 5n, 'replica_alone'],
] as const)('a replica that was %s', async (_name, ageMs, last, source) => {
  const sources: string[] = []
  const take = createTakeReplica({
    pool: {
      connect: async () => ({
        query: async <Row extends object>() => [{ position: 5n, age_ms: ageMs }] as unknown as Row[],
        release: () => {},
      }),
    },
    // It is away for half a minute.
    primary: { read: async () => undefined, isAway: true, silentForMs: () => 30_000, last },
    // It was late once.
    state: { isUsable: false, isSameLedger: true, suspend: () => {} },
    limits: { waitMs: 0, lagMs: 10_000 },
    onRead: (each) => sources.push(each),
  })
  await take()
  expect(sources).toEqual([source])
})

import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from './database.ts'
import { expectBooksBalanced, openTestDatabase } from './testing/database.ts'
import { pay } from './testing/pay.ts'
import { NotReady, Writer } from './writer.ts'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

let db: Database
let writer: Writer
/** From then on each look-up fails, as on a host that has vanished: after seconds, in truth. */
let isAway: boolean
let lookUps: number

beforeEach(async () => {
  isAway = false
  lookUps = 0
  db = await openTestDatabase()
})

afterEach(async () => {
  isAway = false
  await writer.close()
  await expectBooksBalanced(db)
  await db.close()
})

async function open(commitInOrder: Database['commitInOrder'] = db.commitInOrder): Promise<void> {
  writer = await Writer.open({
    db: {
      ...db,
      commitInOrder,
      async query<Row extends object>(text: string, params?: readonly unknown[]): Promise<Row[]> {
        if (!isAway) return db.query<Row>(text, params)
        lookUps++
        await nextTurn()
        // As `pg` says it.
        throw new Error('timeout exceeded when trying to connect')
      },
    },
    clock: { now: () => new Date() },
    randomId: () => randomUUID(),
    holder: 'test',
    leaseTtlMs: 60_000,
    onError: () => {},
  })
}

test('rejects all waiting commands immediately once the lease is lost', async () => {
  await open()
  await writer.execute(pay('key-0'))
  isAway = true
  const waiting = Array.from({ length: 5_000 }, (_, index) => writer.execute(pay(`key-${index}`)))
  const outcomes = await Promise.allSettled(waiting)
  expect(outcomes.every((each) => each.status === 'rejected' && each.reason instanceof NotReady)).toBe(true)
  expect(lookUps).toBeLessThan(5)
})

test('stops retrying a batch one by one when the database becomes unreachable', async () => {
  await open(async (statements) => {
    await db.commitInOrder(statements).catch((error) => {
      isAway = true
      throw error
    })
  })
  // The database takes no zero character, which shows only when all is written.
  const mark = (index: number) => (index === 7 ? '\0' : '')
  const waiting = Array.from({ length: 200 }, (_, index) => writer.execute(pay(`key-${index}`, { mark: mark(index) })))
  const outcomes = await Promise.allSettled(waiting)
  expect(outcomes.some((each) => each.status === 'rejected')).toBe(true)
  expect(lookUps).toBeLessThan(10)
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Command } from './command.ts'
import { openTestDatabase } from './testing.ts'
import { NotReady, Writer } from './writer.ts'

/** What a connection that is never made says, as `pg` has it. */
const timedOut = () => new Error('timeout exceeded when trying to connect')
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Pays one unit in. */
function pay(key: string, reference = ''): Command<{ id: string }> {
  return {
    kind: 'pay',
    owner: 'someone',
    key,
    payload: {},
    touches: [],
    decide: (_state, context) => ({
      entries: [
        {
          kind: 'pay',
          reference: context.id('pay') + reference,
          postings: [
            { account: 'vault', asset: 'USDT', units: -1n },
            { account: 'someone', asset: 'USDT', units: 1n },
          ],
        },
      ],
      answer: { id: context.id('pay') },
    }),
  }
}

test('once the lease is lost, what waits is answered at once and not after a look-up for each batch', async () => {
  const db = await openTestDatabase()
  let isAway = false
  let lookups = 0
  const writer = await Writer.open({
    db: {
      ...db,
      async query<Row extends object>(text: string, params?: readonly unknown[]): Promise<Row[]> {
        if (!isAway) return db.query<Row>(text, params)
        lookups++
        await nextTurn()
        throw timedOut()
      },
    },
    clock: { now: () => new Date() },
    randomId: () => randomUUID(),
    holder: 'test',
    leaseTtlMs: 60_000,
    onError: () => {},
  })
  await writer.execute(pay('key-0'))
  isAway = true
  const waiting = Array.from({ length: 5000 }, (_, index) => writer.execute(pay(`key-${index}`)))
  const outcomes = await Promise.allSettled(waiting)
  expect(outcomes.every((each) => each.status === 'rejected' && each.reason instanceof NotReady)).toBe(true)
  isAway = false
  await writer.close()
  await db.close()
  expect(lookups).toBeLessThan(5)
})

test('a batch that goes one by one ends when the database goes away', async () => {
  const db = await openTestDatabase()
  let isAway = false
  let lookups = 0
  const writer = await Writer.open({
    db: {
      ...db,
      async commitInOrder(statements) {
        await db.commitInOrder(statements).catch((error) => {
          isAway = true
          throw error
        })
      },
      async query<Row extends object>(text: string, params?: readonly unknown[]): Promise<Row[]> {
        if (!isAway) return db.query<Row>(text, params)
        lookups++
        await nextTurn()
        throw timedOut()
      },
    },
    clock: { now: () => new Date() },
    randomId: () => randomUUID(),
    holder: 'test',
    leaseTtlMs: 60_000,
    onError: () => {},
  })
  const waiting = Array.from({ length: 200 }, (_, index) =>
    writer.execute(pay(`key-${index}`, index === 7 ? '\0' : '')),
  )
  await Promise.allSettled(waiting)
  isAway = false
  await writer.close()
  await db.close()
  expect(lookups).toBeLessThan(10)
})

import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from './database.ts'
import { expectBooksBalanced, openTestDatabase } from './testing/database.ts'
import { pay } from './testing/pay.ts'
import { NotReady, Writer } from './writer.ts'

let db: Database
let writer: Writer
let errors: string[]

beforeEach(async () => {
  errors = []
  db = await openTestDatabase()
})

afterEach(async () => {
  await writer.close()
  await expectBooksBalanced(db)
  await db.close()
})

/** Opens a writer on a database whose look-ups and commits pass through these. */
async function openOver(over: Partial<Database>): Promise<void> {
  writer = await Writer.open({
    db: {
      kind: db.kind,
      script: (text) => db.script(text),
      close: () => db.close(),
      transaction: (work) => db.transaction(work),
      commitInOrder: (statements) => db.commitInOrder(statements),
      query: (text, params) => db.query(text, params),
      ...over,
    },
    clock: { now: () => new Date('2026-11-21T09:00:00Z') },
    randomId: () => randomUUID(),
    holder: 'test',
    leaseTtlMs: 60_000,
    exclusive: true,
    onError: (error, task) => errors.push(`${task}: ${error instanceof Error ? error.message : error}`),
  })
}

/** Pays in, an asset for each account, so that a payment to one touches no other. */
const payTo = (account: string, key: string) => pay(key, { to: account, asset: account })

const many = (from: number, account: string) =>
  Array.from({ length: 32 }, (_, index) => writer.execute(payTo(account, `key-${from + index}`)))

test('drops cached balances when the batch before lost its response', async () => {
  let call = 0
  let lookups = 0
  const loseFirst = Promise.withResolvers<void>()
  const secondIsDone = Promise.withResolvers<void>()
  const behind: Promise<unknown>[] = []
  await openOver({
    async commitInOrder(statements) {
      const which = ++call
      await db.commitInOrder(statements)
      // call 1 warms the cache up.
      if (which === 2) {
        await loseFirst.promise
        throw new Error('Connection terminated unexpectedly')
      }
      if (which === 3) setTimeout(secondIsDone.resolve, 20)
    },
    async query<Row extends object>(text: string, params?: readonly unknown[]): Promise<Row[]> {
      if (text.includes('from command_outcomes')) {
        const which = ++lookups
        if (which === 3) {
          // The second batch is being decided: now the first's connection breaks, after its commit.
          const third = many(200, 'someone')
          for (const each of third) each.catch(() => {})
          behind.push(...third)
          loseFirst.resolve()
        }
        // The third batch's look-up returns after the second is committed.
        if (which === 4) await secondIsDone.promise
      }
      return db.query<Row>(text, params)
    },
  })
  await writer.execute(payTo('someone', 'key-0'))
  const first = writer.execute(payTo('someone', 'key-1'))
  await expect.poll(() => call).toBe(2)
  behind.push(...many(100, 'other'))
  await expect(first).rejects.toBeInstanceOf(NotReady)
  await Promise.allSettled(behind)
})

test('finds a key in an uncommitted batch two before its own', async () => {
  let lookups = 0
  const commitFirst = Promise.withResolvers<void>()
  let call = 0
  let committed = 0
  const again: Promise<unknown>[] = []
  let before: Promise<void> = Promise.resolve()
  await openOver({
    commitInOrder(statements) {
      const which = ++call
      before = before.then(async () => {
        if (which === 1) await commitFirst.promise
        await db.commitInOrder(statements)
        committed++
      })
      return before
    },
    async query<Row extends object>(text: string, params?: readonly unknown[]): Promise<Row[]> {
      if (!text.includes('from command_outcomes') || ++lookups !== 3) return db.query<Row>(text, params)
      // The third batch's look-up is done before the first two are committed, but its response comes later.
      const rows = await db.query<Row>(text, params)
      commitFirst.resolve()
      while (committed < 2) await new Promise((resolve) => setTimeout(resolve, 5))
      await new Promise((resolve) => setTimeout(resolve, 20))
      return rows
    },
  })
  const first = writer.execute(payTo('someone', 'key-1'))
  await expect.poll(() => call).toBe(1)
  const second = many(100, 'other')
  await expect.poll(() => call).toBe(2)
  again.push(...many(200, 'other'), writer.execute(payTo('someone', 'key-1')))
  const outcomes = await Promise.all([first, ...second, ...again])
  expect(outcomes.at(-1)).toEqual(outcomes[0])
  expect(errors).toEqual([])
})

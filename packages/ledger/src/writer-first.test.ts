import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from './database.ts'
import { expectBooksBalanced, openTestDatabase } from './testing/database.ts'
import { pay } from './testing/pay.ts'
import { NotReady, Writer } from './writer.ts'

let db: Database
let writer: Writer

beforeEach(async () => {
  db = await openTestDatabase()
  writer = await Writer.open({
    db,
    clock: { now: () => new Date('2026-11-21T09:00:00Z') },
    randomId: () => randomUUID(),
    holder: 'test',
    leaseTtlMs: 60_000,
    exclusive: true,
  })
})

afterEach(async () => {
  await writer.close()
  await expectBooksBalanced(db)
  await db.close()
})

const payTo = (to: string) => pay(undefined, { to })

/** The receivers of all payments, in the order of their entries. */
async function receivers(): Promise<string[]> {
  const rows = await db.query<{ account: string }>(
    "select account from postings where account <> 'vault' order by entry_seq, position",
  )
  return rows.map(({ account }) => account)
}

test('commands that a commit made due precede those that wait', async () => {
  const due: Promise<unknown>[] = []
  const removeListener = writer.onCommitted(() => {
    removeListener()
    due.push(...writer.executeFirst([payTo('due-1'), payTo('due-2')]))
  })
  const first = writer.execute(payTo('first'))
  // Queued once the first is decided, and so before its commit.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  const later = [writer.execute(payTo('later-1')), writer.execute(payTo('later-2'))]
  await Promise.all([first, ...later])
  await Promise.all(due)
  expect(await receivers()).toEqual(['first', 'due-1', 'due-2', 'later-1', 'later-2'])
})

test('responds to each first command, also without the lease', async () => {
  const [one, two] = writer.executeFirst([payTo('one'), payTo('two')])
  expect((await one)?.id).toMatch(/^[0-9a-f]{32}$/)
  expect((await two)?.id).not.toBe((await one)?.id)
  expect(writer.executeFirst([])).toEqual([])
  await writer.close()
  await expect(writer.executeFirst([payTo('three')])[0]).rejects.toBeInstanceOf(NotReady)
})

test('knows a balance once its commit changed it', async () => {
  expect(writer.committedBalance('someone', 'USDT')).toBeUndefined()
  await writer.execute(payTo('someone'))
  expect(writer.committedBalance('someone', 'USDT')).toBe(1n)
})

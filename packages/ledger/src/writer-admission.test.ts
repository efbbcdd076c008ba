import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Admission, type Command, write } from './command.ts'
import type { Database } from './database.ts'
import { LEDGER_MIGRATIONS } from './migrate.ts'
import { Refusal } from './refusal.ts'
import { column, defineWriterTable, forever } from './table.ts'
import { expectBooksBalanced, openTestDatabase } from './testing/database.ts'
import { pay } from './testing/pay.ts'
import { Writer } from './writer.ts'

const stops = defineWriterTable('test_stops', forever('a test'), { id: column.text, until: column.time })
const STOPS = 'create table test_stops (id text primary key, until timestamptz not null)'
const NOW = new Date('2026-11-21T09:00:00Z')
const LATER = new Date('2026-11-22T09:00:00Z')

/** Stops an owner until a time, except for commands that work then. */
const admission: Admission = {
  keyOf: ({ owner, worksStopped }) => (worksStopped ? undefined : { table: stops, id: owner }),
  admit({ owner, worksStopped }, state, { now }) {
    const stop = worksStopped ? undefined : state.row(stops, owner)
    if (stop && stop.until > now) throw new Refusal('stopped', { owner })
  },
}

let db: Database
let writer: Writer
beforeEach(async () => {
  db = await openTestDatabase([LEDGER_MIGRATIONS], STOPS)
  writer = await open()
})
afterEach(async () => {
  await writer.close()
  await expectBooksBalanced(db)
  await db.close()
})

const open = () =>
  Writer.open({
    ...{ db, clock: { now: () => NOW }, randomId: randomUUID, holder: 'test', leaseTtlMs: 2_000 },
    ...{ exclusive: true, admission },
  })

const stop = (id: string, until: Date): Command<string> => ({
  ...{ kind: 'stop', owner: 'operator', payload: {}, preload: [{ table: stops, id }] },
  decide: () => ({ rows: [write(stops, { id, until })], response: id }),
})

const units = async () => (await db.query<{ units: bigint }>("select units from balances where account = 'someone'"))[0]

test('refuses commands of a stopped owner, also in the same batch', async () => {
  const outcomes = await Promise.allSettled([
    writer.execute(pay('key-00001')),
    writer.execute(stop('someone', LATER)),
    writer.execute(pay('key-00002')),
    writer.execute({ ...pay('key-00003'), worksStopped: true }),
    writer.execute({ ...pay('key-00004'), owner: 'another' }),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  expect(outcomes[2]).toMatchObject({ reason: { refusal: 'stopped', data: { owner: 'someone' } } })
  expect(await units()).toEqual({ units: 3n })
})

test('a new writer refuses what the one before stopped', async () => {
  const first = await writer.execute(pay('key-00005'))
  await writer.execute(stop('someone', LATER))
  await writer.close()
  writer = await open()
  await expect(writer.execute(pay('key-00006'))).rejects.toMatchObject({ refusal: 'stopped' })
  // A repeated key gets the response of the time before.
  expect(await writer.execute(pay('key-00005'))).toEqual(first)
})

test('admits an owner again once the stop has ended', async () => {
  await writer.execute(stop('someone', NOW))
  await writer.execute(pay('key-00007'))
  expect(await units()).toEqual({ units: 1n })
})

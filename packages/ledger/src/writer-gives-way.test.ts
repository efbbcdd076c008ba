import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Database } from './database.ts'
import { expectBooksBalanced, openTestDatabase } from './testing/database.ts'
import { pay } from './testing/pay.ts'
import { WriteHealth } from './write-health.ts'
import { NotReady, Writer } from './writer.ts'

/** Longer than a busy machine stops for. */
const LEASE_MS = 3_000

let db: Database
let writers: Writer[]
beforeEach(async () => {
  db = await openTestDatabase()
  writers = []
})
afterEach(async () => {
  for (const writer of writers) await writer.close()
  await expectBooksBalanced(db)
  await db.close()
})

/** A machine whose disk is full: every batch with a command fails, and a heartbeat does not. */
interface Machine {
  isFull: boolean
  readonly reports: string[]
}

async function open(machine: Machine, exclusive = false): Promise<Writer> {
  const commitInOrder: Database['commitInOrder'] = async (statements) => {
    if (machine.isFull && statements.length > 1)
      throw Object.assign(new Error('could not extend file'), { code: '53100' })
    return db.commitInOrder(statements)
  }
  const writer = await Writer.open({
    db: { ...db, commitInOrder },
    clock: { now: () => new Date('2026-11-24T09:00:00Z') },
    randomId: () => randomUUID(),
    holder: randomUUID(),
    leaseTtlMs: LEASE_MS,
    exclusive,
    onError: (error, task) => machine.reports.push(`${task}: ${(error as Error).message}`),
  })
  writers.push(writer)
  return writer
}

const full = (): Machine => ({ isFull: true, reports: [] })
const roomy = (): Machine => ({ isFull: false, reports: [] })
const isRejected = (command: Promise<unknown>) => expect(command).rejects.toBeInstanceOf(NotReady)

test('gives the lease to another writer after three failed batches', async () => {
  const machine = full()
  const [first, second] = [await open(machine), await open(roomy())]
  expect([first.isWriting, second.isWriting]).toEqual([true, false])
  for (const key of ['key-00001', 'key-00002']) await isRejected(first.execute(pay(key)))
  expect([first.isFailing, first.isWriting]).toEqual([false, true])
  await isRejected(first.execute(pay('key-00003')))
  expect([first.isFailing, first.isWriting]).toEqual([true, false])
  expect(machine.reports.at(-1)).toBe('writer lease lost: gave the writer lease up, because batches keep failing')
  await vi.waitFor(() => expect(second.isWriting).toBe(true), { timeout: 30_000, interval: 20 })
  expect(await second.execute(pay('key-00003'))).toMatchObject({ id: expect.any(String) })
  await vi.waitFor(() => expect(first.isFailing).toBe(false), { timeout: 30_000, interval: 20 })
})

test('a writer hands the lease over after its waiting commands', async () => {
  const machine = roomy()
  const [first, second] = [await open(machine), await open(roomy())]
  const waiting = Array.from({ length: 40 }, (_, number) => first.execute(pay(`key-000${number}`)))
  const handedOver = first.handOver()
  expect(first.isWriting).toBe(false)
  await isRejected(first.execute(pay('key-late')))
  expect(await Promise.all(waiting)).toHaveLength(40)
  await handedOver
  await vi.waitFor(() => expect(second.isWriting).toBe(true), { timeout: 30_000, interval: 20 })
  await second.execute(pay('key-late'))
  await new Promise((resolve) => setTimeout(resolve, LEASE_MS * 1.2))
  expect([first.isWriting, second.isWriting, machine.reports]).toEqual([false, true, []])
})

test('a writer takes back a lease that no other takes', async () => {
  const writer = await open(roomy())
  await writer.handOver()
  expect(writer.isWriting).toBe(false)
  await vi.waitFor(() => expect(writer.isWriting).toBe(true), { timeout: 30_000, interval: 20 })
  await writer.execute(pay('key-00001'))
})

test('a lone writer takes the lease again and writes when it can', async () => {
  const machine = full()
  const writer = await open(machine)
  for (const key of ['key-00001', 'key-00002', 'key-00003']) await isRejected(writer.execute(pay(key)))
  expect(writer.isWriting).toBe(false)
  machine.isFull = false
  await vi.waitFor(() => expect(writer.isWriting).toBe(true), { timeout: 30_000, interval: 20 })
  expect(writer.isFailing).toBe(true)
  await writer.execute(pay('key-00001'))
  expect(writer.isFailing).toBe(false)
})

test('a success between failures keeps the lease', async () => {
  const machine = full()
  const writer = await open(machine)
  for (let round = 0; round < 3; round++) {
    machine.isFull = true
    for (const key of ['a', 'b']) await isRejected(writer.execute(pay(`key-${round}-${key}`)))
    machine.isFull = false
    await writer.execute(pay(`key-${round}-c`))
  }
  expect([writer.isFailing, writer.isWriting]).toEqual([false, true])
})

test('the only process of a database keeps the lease', async () => {
  const writer = await open(full(), true)
  for (const key of ['key-00001', 'key-00002', 'key-00003']) await isRejected(writer.execute(pay(key)))
  expect([writer.isFailing, writer.isWriting]).toEqual([true, true])
})

test('counts a writer as failing five seconds after the first failure', () => {
  const health = new WriteHealth(1_000)
  health.noteBeat()
  health.noteFailure()
  for (let beat = 0; beat < 4; beat++) health.noteBeat()
  expect(health.isFailing).toBe(false)
  health.noteBeat()
  expect(health.isFailing).toBe(true)
  health.noteSuccess()
  expect(health.isFailing).toBe(false)
})

test('waits twice as long each time, up to eight heartbeats', () => {
  const health = new WriteHealth(1_000)
  expect([1, 2, 3, 4].map(() => health.nextWait())).toEqual([2, 4, 8, 8])
  health.noteSuccess()
  expect(health.nextWait()).toBe(2)
})

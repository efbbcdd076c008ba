import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Alarm, openAlarmBook } from './alarm-book.ts'
import type { Finding } from './alarm-codes.ts'
import { openEventStore } from './event-store.ts'
import { openHeaderStore } from './header-store.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-watch-'))
})
afterEach(() => rm(folder, { recursive: true }))

const HASH = (digits: string) => `0x${digits.repeat(32)}` as const
const fork: Finding = { key: 'forked_header:1', code: 'forked_header', text: 'two headers' }
const short: Finding = { key: 'vault_short:0xaa', code: 'vault_short', text: 'one unit is missing' }

async function sentBy(book: Awaited<ReturnType<typeof openAlarmBook>>): Promise<string[]> {
  const sent: string[] = []
  await book.deliver(async ({ level, code, state }: Alarm) => void sent.push(`${level} ${code} ${state}`))
  return sent
}

test('an alarm is sent once, also after a kill', async () => {
  const book = await openAlarmBook(folder, () => 0)
  await book.raise([fork, fork])
  await book.setLasting([short])
  const failing = book.deliver(async ({ code }) => {
    if (code === 'vault_short') throw new Error('the webhook is away')
  })
  await expect(failing).rejects.toThrow('the webhook is away')
  const again = await openAlarmBook(folder, () => 0)
  await again.raise([fork])
  await again.setLasting([short])
  expect(await sentBy(again)).toEqual(['alarm vault_short raised'])
  await again.setLasting([])
  await again.setLasting([short])
  expect(await sentBy(again)).toEqual(['alarm vault_short cleared', 'alarm vault_short raised'])
  expect(again.open.map(({ key }) => key)).toEqual([short.key])
  await Promise.all([book.close(), again.close()])
})

test('headers are there again after a kill in a line', async () => {
  const link = (number: bigint) => ({ number, previous: HASH('00'), hash: HASH(`0${number}`) })
  const store = await openHeaderStore(folder)
  await store.add([link(1n)], Date.UTC(2026, 9, 31))
  await store.add([link(2n), link(3n)], Date.UTC(2026, 10, 1))
  await store.close()
  const path = join(folder, 'headers-2026-11.jsonl')
  await appendFile(path, '{"number":"4","prev')
  const again = await openHeaderStore(folder)
  expect([again.newest?.number, again.oldest, again.hashOf(2n)]).toEqual([3n, 1n, HASH('02')])
  await again.add([link(4n)], Date.UTC(2026, 10, 1))
  await again.close()
  const numbers = (await readFile(path, 'utf8')).split('\n').slice(0, -1)
  expect(numbers.map((text) => JSON.parse(text).number)).toEqual(['2', '3', '4'])
})

test('events are there again, and long silence is noted', async () => {
  const [old, next] = ['0x7a', '0x7b']
  const event = { name: 'KeyRemoved', args: { key: '0xaa' }, block: '5', index: 0, tx: '0x01', timeS: 9, vault: old }
  const store = await openEventStore(folder, old)
  await store.add(old, [event], 10n)
  await store.add(old, [], 1_009n)
  await store.add(next, [], 7n)
  expect([store.scannedTo(old), store.scannedTo(next)]).toEqual([1_009n, 7n])
  const again = await openEventStore(folder, old)
  expect([again.events, again.scannedTo(old), again.scannedTo(next)]).toEqual([[event], 10n, 7n])
  await store.add(old, [], 1_010n)
  const later = await openEventStore(folder, old)
  expect(later.scannedTo(old)).toBe(1_010n)
  await Promise.all([store, again, later].map((each) => each.close()))
})

test('events that an earlier version stored are those of the oldest vault', async () => {
  const event = { name: 'KeyRemoved', args: {}, block: '5', index: 0, tx: '0x01', timeS: 9 }
  await appendFile(join(folder, 'events.jsonl'), `${JSON.stringify({ scanned_to: '10', events: [event] })}\n`)
  const store = await openEventStore(folder, '0x7a')
  expect([store.events, store.scannedTo('0x7a'), store.scannedTo('0x7b')]).toEqual([
    [{ ...event, vault: '0x7a' }],
    10n,
    undefined,
  ])
  await store.close()
})

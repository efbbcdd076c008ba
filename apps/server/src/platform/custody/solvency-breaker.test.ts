import { write } from '@clearwell/ledger/command'
import type { Database } from '@clearwell/ledger/database'
import { expectBooksBalanced, openTestDatabase } from '@clearwell/ledger/testing/database'
import { Writer } from '@clearwell/ledger/writer'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MIGRATION_FOLDERS } from '../database/open-database.ts'
import { VAULT_MOVE_STOP } from '../ledger/breaker.ts'
import { breakerRows, releaseSolvency, stopForSolvency } from './solvency-breaker.ts'
import { watchedVaults } from './watched-vault.ts'

const NOW = new Date('2026-11-30T19:00:00Z')
const VAULT = `0x${'Ab'.repeat(20)}`
const OTHER = `0x${'cd'.repeat(20)}`

let db: Database
let writer: Writer
beforeEach(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
  let ids = 0
  writer = await Writer.open({
    ...{ db, clock: { now: () => NOW }, randomId: () => `seed${ids++}`, holder: 'test' },
    ...{ leaseTtlMs: 2_000, exclusive: true },
  })
})
afterEach(async () => {
  await writer.close()
  await expectBooksBalanced(db)
  await db.close()
})

const readBreakers = () => db.query('select id, stopped_at, reason, detail from breakers order by id')
const readEvents = () => db.query('select breaker, kind, reason, detail, at from breaker_events order by detail')
const checked = (vault: string) => ({ chainId: 97, vault })

test('the breaker opens and closes once, and each change is recorded', async () => {
  const changed = [
    await writer.execute(releaseSolvency('0 nothing is open', checked(VAULT))),
    await writer.execute(stopForSolvency('1 missing')),
    await writer.execute(stopForSolvency('2 still missing')),
  ]
  expect(await readBreakers()).toEqual([{ id: 'solvency', stopped_at: NOW, reason: 'insolvent', detail: '1 missing' }])
  changed.push(await writer.execute(releaseSolvency('3 there again', checked(VAULT))))
  expect(changed).toEqual([false, true, false, true].map((each) => ({ changed: each })))
  expect(await readBreakers()).toEqual([{ id: 'solvency', stopped_at: null, reason: null, detail: null }])
  const event = { breaker: 'solvency', reason: 'insolvent', at: NOW }
  expect(await readEvents()).toEqual([
    { ...event, kind: 'stopped', detail: '1 missing' },
    { ...event, kind: 'released', detail: '3 there again' },
  ])
})

test('a check of another vault does not close the breaker', async () => {
  await writer.execute({
    ...{ kind: 'bind', owner: 'test', payload: {}, preload: [] },
    decide: () => ({
      rows: [write(watchedVaults, { id: '97', vault: VAULT.toLowerCase(), since: NOW })],
      response: {},
    }),
  })
  await writer.execute(stopForSolvency('1 missing'))
  expect(await writer.execute(releaseSolvency('2 the vault of before', checked(OTHER)))).toEqual({ changed: false })
  expect(await readBreakers()).toMatchObject([{ stopped_at: NOW }])
  expect(await writer.execute(releaseSolvency('3 the vault of now', checked(VAULT)))).toEqual({ changed: true })
})

test('another breaker stops for its own reason', async () => {
  const which = { id: VAULT_MOVE_STOP.id, reason: 'withdrawals_paused' } as const
  const set = (kind: 'stopped' | 'released', detail: string) =>
    writer.execute({
      ...{ kind: 'set', owner: 'test', payload: {}, preload: [] },
      decide: (_state, context) => ({ rows: breakerRows(kind, detail, context, which), response: {} }),
    })
  await set('stopped', '1 a move')
  expect(await readBreakers()).toEqual([{ id: which.id, stopped_at: NOW, reason: which.reason, detail: '1 a move' }])
  await set('released', '2 moved')
  expect(await readBreakers()).toEqual([{ id: which.id, stopped_at: null, reason: null, detail: null }])
  expect(await readEvents()).toMatchObject([
    { breaker: which.id, kind: 'stopped', reason: which.reason },
    { breaker: which.id, kind: 'released', reason: which.reason },
  ])
})

import { randomBytes, randomUUID } from 'node:crypto'
import type { Command, Plan } from '@clearwell/ledger/command'
import type { Database } from '@clearwell/ledger/database'
import { Draft } from '@clearwell/ledger/draft'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { transfer } from '@clearwell/ledger/transfer'
import { Writer } from '@clearwell/ledger/writer'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MIGRATION_FOLDERS } from '../database/open-database.ts'
import { TREASURY, userAccount, VAULT } from '../ledger/accounts.ts'
import { givePlaces } from './proof-places.ts'
import { countEvent } from './vault-counters.ts'

const OPERATOR = `0x${'0e'.repeat(20)}`
let db: Database
let writer: Writer
beforeEach(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
  writer = await Writer.open({
    db,
    clock: { now: () => new Date('2026-11-28T05:00:00Z') },
    randomId: () => randomUUID(),
    ...{ holder: 'test', leaseTtlMs: 2_000, exclusive: true },
    completion: givePlaces({ operator: OPERATOR }),
  })
})
afterEach(async () => {
  await writer.close()
  await db.close()
})

const newAddress = () => `0x${randomBytes(20).toString('hex')}`
const run = (decide: Command<null>['decide']) =>
  writer.execute({ kind: 'test', owner: 'test', payload: {}, preload: [], decide })
const give = (account: string): Plan<null> => ({
  entries: [
    { kind: 'test', reference: '', postings: transfer({ from: VAULT, to: account, asset: 'USDT', units: 5n }) },
  ],
  response: null,
})
const read = () =>
  db.query<{ id: string; place: number; salt: string; change: bigint }>(
    'select id, place, salt, change from proof_accounts order by change',
  )

test('an account keeps the place and the salt of its first holding', async () => {
  const [first, second] = [newAddress(), newAddress()]
  await run(() => give(userAccount(first, 'available')))
  await run(() => give(userAccount(second, 'rt_deposit')))
  const given = await read()
  expect(given.map(({ id }) => id)).toEqual([first, second])
  expect(new Set(given.map(({ place }) => place)).size).toBe(2)
  expect(new Set(given.map(({ salt }) => salt)).size).toBe(2)
  expect(given[0]?.salt).toMatch(/^0x[0-9a-f]{64}$/)
  await run(() => give(userAccount(first, 'collateral')))
  expect(await read()).toEqual(given)
  expect(await db.query('select id, account from proof_places order by account')).toEqual(
    given.map(({ id, place }) => ({ id: `${place}`, account: id })).sort((a, b) => (a.account < b.account ? -1 : 1)),
  )
})

test('an event of the vault gives a place and marks the change', async () => {
  const account = newAddress()
  const pay = () =>
    run((state) => {
      const draft = new Draft(state)
      draft.add(give(TREASURY))
      countEvent(draft, { vault: 'vault', account, asset: 'USDT' }, 'deposited', 5n)
      return draft.plan(null)
    })
  await pay()
  const [given] = await read()
  expect(given).toMatchObject({ id: account, change: 1n })
  await pay()
  expect(await read()).toEqual([{ ...given, change: 2n }])
})

test("the operator's address and the operator's accounts get no place", async () => {
  await run(() => give(userAccount(OPERATOR, 'locked')))
  await run(() => give(TREASURY))
  expect(await read()).toEqual([])
})

test('each account of a batch gets another place', async () => {
  const accounts = Array.from({ length: 300 }, newAddress)
  await Promise.all(
    accounts.map((account, index) =>
      run((state) => {
        const draft = new Draft(state)
        draft.add(give(userAccount(account, 'available')))
        draft.add(give(userAccount(accounts[(index + 1) % accounts.length] as string, 'available')))
        return draft.plan(null)
      }),
    ),
  )
  const given = await read()
  expect(given.map(({ id }) => id).sort()).toEqual(accounts.sort())
  expect(new Set(given.map(({ place }) => place)).size).toBe(300)
  expect(given.map(({ change }) => change)).toEqual(accounts.map((_, index) => BigInt(index + 1)))
})

test('a repeated decision draws the same place and salt', () => {
  const account = newAddress()
  const state = {
    balance: () => 0n,
    row: () => undefined,
    rows: (_table: unknown, ids: readonly string[]) => ids.map(() => undefined),
  }
  const context = { now: new Date(), id: (label: string) => `secret ${label}` }
  const once = () =>
    givePlaces({ operator: OPERATOR }).rowsFor(give(userAccount(account, 'available')), state, context, 0n)
  expect(once()).toEqual(once())
  const taken = once().find(({ table }) => table.name === 'proof_places')?.row.id
  const next = givePlaces({ operator: OPERATOR }).rowsFor(
    give(userAccount(account, 'available')),
    {
      ...state,
      rows: (_table: unknown, ids: readonly string[]) => ids.map((id) => (id === taken ? { id } : undefined)) as never,
    },
    context,
    0n,
  )
  expect(next.find(({ table }) => table.name === 'proof_places')?.row.id).not.toBe(taken)
})

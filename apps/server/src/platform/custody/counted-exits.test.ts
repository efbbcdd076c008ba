import { randomUUID } from 'node:crypto'
import type { Database } from '@clearwell/ledger/database'
import { expectBooksBalanced, openTestDatabase } from '@clearwell/ledger/testing/database'
import { Writer } from '@clearwell/ledger/writer'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ChainExit } from '../chain/chain.ts'
import { MIGRATION_FOLDERS } from '../database/open-database.ts'
import { bookMovements } from './book-movements.ts'
import { movementRules } from './testing/watcher.ts'
import { ALL_ACCOUNTS } from './vault-counters.ts'

const vault = `0x${'7a'.repeat(20)}`
const account = `0x${'aa'.repeat(20)}`
const place = { logIndex: 0, blockNumber: 7n, blockHash: '0x7', account, asset: 'USDT' } as const
const exit: ChainExit = { ...place, txHash: `0x${'1'.repeat(64)}`, units: 30n, to: `0x${'bb'.repeat(20)}` }

let db: Database
let writer: Writer
beforeEach(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
  const clock = { now: () => new Date('2026-11-28T05:00:00Z') }
  const fixed = { holder: 'test', leaseTtlMs: 600_000, exclusive: true }
  writer = await Writer.open({ db, clock, randomId: () => randomUUID(), ...fixed })
  const deposit = { ...place, txHash: `0x${'2'.repeat(64)}`, units: 100n, orderId: null }
  const payment = { ...place, txHash: `0x${'3'.repeat(64)}`, units: 5n, nonce: 1n }
  await writer.execute(bookMovements(movementRules(97, { vault }), { deposits: [deposit], withdrawals: [payment] }))
})
afterEach(async () => {
  await writer.close()
  await expectBooksBalanced(db)
  await db.close()
})

const book = (...exits: readonly ChainExit[]) =>
  writer.execute(bookMovements(movementRules(97, { vault }), { deposits: [], withdrawals: [], exits }))
const counters = () =>
  db.query('select account, deposited, paid, exited from vault_counters where vault = $1 order by account', [vault])

test('an exit counts once, apart from vouchers', async () => {
  await book(exit, { ...exit, logIndex: 1, units: 2n })
  await book(exit)
  const counted = { deposited: 100n, paid: 5n, exited: 32n }
  expect(await counters()).toEqual([
    { account: ALL_ACCOUNTS, ...counted },
    { account, ...counted },
  ])
})

test('an exit of a replaced vault counts nothing', async () => {
  await book({ ...exit, replacedVault: `0x${'cc'.repeat(20)}` })
  expect(await counters()).toMatchObject([{ exited: 0n }, { exited: 0n }])
})

test('an exit is no payment without an order', async () => {
  expect((await book(exit)).unknown).toEqual([])
})

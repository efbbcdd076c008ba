import { randomBytes, randomUUID } from 'node:crypto'
import type { Database } from '@clearwell/ledger/database'
import { Draft } from '@clearwell/ledger/draft'
import { expectBooksBalanced, openTestDatabase } from '@clearwell/ledger/testing/database'
import { transfer } from '@clearwell/ledger/transfer'
import { Writer } from '@clearwell/ledger/writer'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ChainDeposit, type ChainWithdrawal, movementId } from '../chain/chain.ts'
import { MIGRATION_FOLDERS } from '../database/open-database.ts'
import { userAccount, VAULT } from '../ledger/accounts.ts'
import { bookMovements, type CompletedOrder } from './book-movements.ts'
import { creditDeposit } from './credit-deposit.ts'
import { takeBackDeposit } from './take-back-deposit.ts'
import { movementRules } from './testing/watcher.ts'
import { ALL_ACCOUNTS, uncountEvent } from './vault-counters.ts'

const OPERATOR = `0x${'0e'.repeat(20)}`
let db: Database
let writer: Writer
/** Each test has its own vault, so that its totals begin at zero. */
let vault: string
let account: string
let outcome: CompletedOrder

beforeAll(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
  const clock = { now: () => new Date('2026-11-28T05:00:00Z') }
  const fixed = { holder: 'test', leaseTtlMs: 2_000, exclusive: true }
  writer = await Writer.open({ db, clock, randomId: () => randomUUID(), ...fixed })
})
afterAll(async () => {
  await writer.close()
  await expectBooksBalanced(db)
  await db.close()
})
beforeEach(() => {
  vault = newAddress()
  account = newAddress()
  outcome = { as: 'completed', orderId: 'order' }
})

const newAddress = () => `0x${randomBytes(20).toString('hex')}`
const movement = (units: bigint) => ({
  txHash: `0x${randomBytes(32).toString('hex')}`,
  ...{ logIndex: 0, blockNumber: 7n, blockHash: '0x7', account, asset: 'USDT' as const, units },
})
const deposit = (units: bigint, changes: Partial<ChainDeposit> = {}) => ({
  ...movement(units),
  orderId: null,
  ...changes,
})
const payment = (units: bigint, changes: Partial<ChainWithdrawal> = {}) => ({
  ...movement(units),
  nonce: 1n,
  ...changes,
})

function book(deposits: readonly ChainDeposit[], withdrawals: readonly ChainWithdrawal[] = []) {
  const complete = (draft: Draft, _context: unknown, { txHash, account: owner, asset, units }: ChainWithdrawal) => {
    const postings = transfer({ from: userAccount(owner, 'available'), to: VAULT, asset, units })
    if (outcome.as === 'completed') draft.add({ entries: [{ kind: 'withdrawal', reference: txHash, postings }] })
    return outcome
  }
  const rules = movementRules(97, { operator: OPERATOR, vault, withdrawals: { preload: () => [], complete } })
  return writer.execute(bookMovements(rules, { deposits, withdrawals }))
}

/** The counters of the account and of all accounts, as [deposited, paid]. */
async function counters(): Promise<[bigint, bigint][]> {
  const rows = await db.query<{ account: string; deposited: bigint; paid: bigint }>(
    'select account, deposited, paid from vault_counters where vault = $1 and account = any($2::text[])',
    [vault, [account, ALL_ACCOUNTS]],
  )
  return [account, ALL_ACCOUNTS].map((each) => {
    const row = rows.find((found) => found.account === each)
    return [row?.deposited ?? 0n, row?.paid ?? 0n]
  })
}

test('an event counts once, for its account and for all', async () => {
  const first = deposit(100n)
  await book([first, deposit(40n, { account: newAddress() })])
  await book([first, deposit(1n)], [payment(30n)])
  expect(await counters()).toEqual([
    [101n, 30n],
    [141n, 30n],
  ])
})

test('a plain transfer and a replaced vault count nothing', async () => {
  const old = { replacedVault: newAddress() }
  await book([deposit(100n), deposit(7n, { isPlainTransfer: true }), deposit(9n, old)], [payment(30n, old)])
  expect(await counters()).toEqual([
    [100n, 0n],
    [100n, 0n],
  ])
})

test('a credited deposit into a replaced vault counts for no vault', async () => {
  const late = deposit(9n, { replacedVault: newAddress() })
  await writer.execute({
    ...{ kind: 'credit', owner: 'test', payload: {}, preload: [] },
    decide(state, context) {
      const draft = new Draft(state)
      creditDeposit({ chainId: 97, operator: OPERATOR, purposes: [], vault }, draft, context, late)
      return draft.plan({})
    },
  })
  expect(await counters()).toEqual([
    [0n, 0n],
    [0n, 0n],
  ])
  const rows = await db.query('select units, counted_by from deposits where id = $1', [movementId(97, late)])
  expect(rows).toEqual([{ units: 9n, counted_by: null }])
})

test('a payment without an order counts once', async () => {
  outcome = { as: 'unknown', reason: 'no order has its nonce', hasOrder: false }
  const unknown = payment(30n)
  await book([], [unknown])
  await book([], [unknown])
  outcome = { as: 'known' }
  await book([], [payment(30n)])
  expect(await counters()).toEqual([
    [0n, 30n],
    [0n, 30n],
  ])
})

test('an event that was never counted is not taken out', async () => {
  await writer.execute({
    ...{ kind: 'uncount', owner: 'test', payload: {}, preload: [] },
    decide(state) {
      const draft = new Draft(state)
      uncountEvent(draft, { vault, account, asset: 'USDT' }, 'deposited', 5n)
      return draft.plan({})
    },
  })
  expect(await db.query('select 1 from vault_counters where vault = $1', [vault])).toEqual([])
})

test('a deposit that a reorganisation removed is taken out', async () => {
  const gone = deposit(100n)
  await book([gone, deposit(5n)])
  const takeBack = () =>
    writer.execute({
      ...{ kind: 'take_back', owner: 'test', payload: {}, preload: [] },
      decide(state, context) {
        const draft = new Draft(state)
        takeBackDeposit(draft, context, movementId(97, gone), OPERATOR)
        return draft.plan({})
      },
    })
  await takeBack()
  await takeBack()
  expect(await counters()).toEqual([
    [5n, 0n],
    [5n, 0n],
  ])
  await book([gone])
  expect(await counters()).toEqual([
    [105n, 0n],
    [105n, 0n],
  ])
})

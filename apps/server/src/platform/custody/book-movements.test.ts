import { randomBytes, randomUUID } from 'node:crypto'
import { write } from '@clearwell/ledger/command'
import type { Database } from '@clearwell/ledger/database'
import { Draft } from '@clearwell/ledger/draft'
import { expectBooksBalanced, openTestDatabase } from '@clearwell/ledger/testing/database'
import { transfer } from '@clearwell/ledger/transfer'
import { Writer } from '@clearwell/ledger/writer'
import type { AssetId } from '@clearwell/money/asset'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { members } from '../../domain/members/members.ts'
import { type ChainDeposit, type ChainWithdrawal, movementId } from '../chain/chain.ts'
import { MIGRATION_FOLDERS } from '../database/open-database.ts'
import { INSURANCE, TREASURY, userAccount, VAULT } from '../ledger/accounts.ts'
import { bookMovements, type CursorMove, type MovementRules } from './book-movements.ts'
import { readCursor } from './chain-cursors.ts'
import type { DepositPurpose } from './credit-deposit.ts'
import type { CursorBooking } from './cursor-followers.ts'
import { takeBackDeposit } from './take-back-deposit.ts'
import { movementRules, newDepositOrder } from './testing/watcher.ts'
import { watchedVaults } from './watched-vault.ts'

const NOW = new Date('2026-11-21T09:00:00Z')
const OPERATOR = `0x${'0'.repeat(39)}f`
const PRICE = 10n
const LEDGER_VAULT = `0x${'7a'.repeat(20)}`

let db: Database
let writer: Writer
let user: string
let other: string

beforeAll(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
  writer = await Writer.open({
    db,
    clock: { now: () => NOW },
    randomId: () => randomUUID(),
    holder: 'test',
    leaseTtlMs: 2_000,
    exclusive: true,
  })
})
afterAll(async () => {
  await writer.close()
  await expectBooksBalanced(db)
  await db.close()
})
beforeEach(() => {
  user = newAddress()
  other = newAddress()
})

/** A minimal activation: a payment of the price activates once, and the price goes to `treasury`. */
const activation: DepositPurpose = {
  name: 'activation',
  settle(state, { now }, { userId, orderId }) {
    const asset = 'USDT'
    if (state.balance(userAccount(userId, 'available'), asset) < PRICE || state.row(members, userId)?.activated_at)
      return {}
    const postings = [
      { account: userAccount(userId, 'available'), asset, units: -PRICE },
      { account: TREASURY, asset, units: PRICE },
    ]
    return {
      entries: [{ kind: 'activation', reference: orderId, postings }],
      rows: [write(members, { id: userId, activated_at: now, activation_order_id: null })],
    }
  },
}
const rules = movementRules(97, { operator: OPERATOR, purposes: [activation] })

function newAddress(): string {
  return `0x${randomBytes(20).toString('hex')}`
}

function paid(payment: Partial<ChainDeposit> = {}): ChainDeposit {
  return {
    txHash: `0x${randomBytes(32).toString('hex')}`,
    logIndex: 0,
    blockNumber: 7n,
    blockHash: '0x7',
    account: user,
    asset: 'USDT',
    units: 100n,
    orderId: null,
    ...payment,
  }
}

async function newOrder(...order: Parameters<typeof newDepositOrder>): Promise<string> {
  return (await writer.execute(newDepositOrder(...order))).orderId
}

const credit = (deposits: readonly ChainDeposit[], move?: CursorMove) =>
  writer.execute(bookMovements(rules, { deposits, withdrawals: [] }, move))

async function balance(account: string, asset: AssetId = 'USDT'): Promise<bigint> {
  const [row] = await db.query<{ units: bigint }>('select units from balances where account = $1 and asset = $2', [
    account,
    asset,
  ])
  return row?.units ?? 0n
}

const available = (id: string, asset?: AssetId) => balance(userAccount(id, 'available'), asset)

async function orderRow(id: string) {
  const [row] = await db.query<{ credited: bigint; tx_hash: string | null }>(
    'select credited, tx_hash from deposit_orders where id = $1',
    [id],
  )
  return row
}

async function depositRow(deposit: ChainDeposit) {
  const [row] = await db.query<{ user_id: string; order_id: string | null; units: bigint; credited_at: Date }>(
    'select user_id, order_id, units, credited_at from deposits where id = $1',
    [movementId(rules.chainId, deposit)],
  )
  return row
}

test('a payment without an order is credited to its sender', async () => {
  const deposit = paid()
  const vaultBefore = await balance(VAULT)
  expect(await credit([deposit])).toMatchObject({ credited: [`97:${deposit.txHash}:0`] })
  expect(await available(user)).toBe(100n)
  expect(await balance(VAULT)).toBe(vaultBefore - 100n)
  expect(await depositRow(deposit)).toEqual({ user_id: user, order_id: null, units: 100n, credited_at: NOW })
})

test("payments for the sender's own order add up", async () => {
  const orderId = await newOrder(user)
  const [first, second] = [paid({ orderId, units: 30n }), paid({ orderId, units: 90n })]
  await credit([first])
  expect(await orderRow(orderId)).toEqual({ credited: 30n, tx_hash: first.txHash })
  await credit([second])
  expect(await orderRow(orderId)).toEqual({ credited: 120n, tx_hash: second.txHash })
  expect(await available(user)).toBe(120n)
  expect((await depositRow(second))?.order_id).toBe(orderId)
})

test('two payments for one order in one batch add up', async () => {
  const orderId = await newOrder(user)
  await credit([paid({ orderId, units: 30n }), paid({ orderId, units: 12n })])
  expect(await orderRow(orderId)).toMatchObject({ credited: 42n })
})

test("a payment for another user's order is only credited to its sender", async () => {
  const orderId = await newOrder(other)
  const deposit = paid({ orderId })
  await credit([deposit])
  expect(await available(user)).toBe(100n)
  expect(await available(other)).toBe(0n)
  expect(await orderRow(orderId)).toEqual({ credited: 0n, tx_hash: null })
  expect((await depositRow(deposit))?.order_id).toBeNull()
})

test('a payment in the wrong asset is credited without its order', async () => {
  const orderId = await newOrder(user)
  await credit([paid({ orderId, asset: 'BNB', units: 5n })])
  expect(await available(user, 'BNB')).toBe(5n)
  expect(await available(user, 'USDT')).toBe(0n)
  expect(await orderRow(orderId)).toEqual({ credited: 0n, tx_hash: null })
})

test('a payment for an unknown order is credited to its sender', async () => {
  const deposit = paid({ orderId: `0x${randomBytes(32).toString('hex')}` })
  await credit([deposit])
  expect(await available(user)).toBe(100n)
  expect((await depositRow(deposit))?.order_id).toBeNull()
})

test("the operator's payment goes to treasury", async () => {
  const before = await balance(TREASURY)
  const deposit = paid({ account: OPERATOR })
  await credit([deposit])
  expect((await balance(TREASURY)) - before).toBe(100n)
  expect(await available(OPERATOR)).toBe(0n)
  const [entry] = await db.query('select kind from entries where reference = $1', [deposit.txHash])
  expect(entry).toEqual({ kind: 'operator_deposit' })
})

test("an operator's payment of the operator's order activates like a user's", async () => {
  const before = await balance(TREASURY)
  const orderId = await newOrder(OPERATOR, { purpose: 'activation' })
  await credit([paid({ account: OPERATOR, orderId })])
  expect((await balance(TREASURY)) - before).toBe(PRICE)
  expect(await available(OPERATOR)).toBe(100n - PRICE)
})

test('a repeated payment is credited once, also by concurrent commands', async () => {
  const deposit = paid()
  expect((await credit([deposit, deposit])).credited).toHaveLength(1)
  expect((await credit([deposit])).credited).toEqual([])
  const raced = paid()
  const responses = await Promise.all([credit([raced]), credit([raced]), credit([raced])])
  expect(responses.flatMap((response) => response.credited)).toHaveLength(1)
  expect(await available(user)).toBe(200n)
})

test('two logs are two payments, by transaction and log index', async () => {
  const first = paid({ logIndex: 3 })
  const response = await credit([first, { ...first, logIndex: 4 }, paid({ logIndex: 3 })])
  expect(response.credited).toHaveLength(3)
  expect(await available(user)).toBe(300n)
})

test('an activation pays the price once and keeps a second payment', async () => {
  const orderId = await newOrder(user, { purpose: 'activation' })
  const before = await balance(TREASURY)
  await credit([paid({ orderId, units: 10n }), paid({ orderId, units: 10n })])
  expect((await balance(TREASURY)) - before).toBe(PRICE)
  expect(await available(user)).toBe(10n)
  expect(await db.query('select activated_at from members where id = $1', [user])).toEqual([{ activated_at: NOW }])
})

test("another user's payment of an activation order activates neither user", async () => {
  const orderId = await newOrder(other, { purpose: 'activation' })
  await credit([paid({ orderId })])
  expect(await available(user)).toBe(100n)
  expect(await db.query('select 1 from members where id in ($1, $2)', [user, other])).toEqual([])
})

test('the cursor moves with the credits and only from its position', async () => {
  const [first, second] = [
    { number: 10n, hash: '0xa', time: NOW },
    { number: 20n, hash: '0xb', time: new Date(NOW.getTime() + 10_000) },
  ]
  await credit([paid()], { from: undefined, to: first })
  expect(await readCursor(db, 97)).toEqual(first)
  const late = paid()
  const refused = credit([late], { from: undefined, to: second })
  await expect(refused).rejects.toMatchObject({ refusal: 'conflict', data: { reason: 'cursor_moved' } })
  expect(await depositRow(late)).toBeUndefined()
  await credit([late], { from: first, to: second })
  expect(await readCursor(db, 97)).toEqual(second)
  expect(await available(user)).toBe(200n)
})

test('a lookup keeps the cursor, and an empty move posts nothing', async () => {
  const before = await readCursor(db, 97)
  await credit([paid()])
  expect(await readCursor(db, 97)).toEqual(before)
  const [entries] = await db.query<{ count: bigint }>('select count(*) as count from entries')
  await credit([], { from: before, to: { number: 99n, hash: '0xc', time: NOW } })
  expect(await readCursor(db, 97)).toEqual({ number: 99n, hash: '0xc', time: NOW })
  expect(await db.query('select count(*) as count from entries')).toEqual([entries])
})

test('the same log id on another chain is another payment', async () => {
  const deposit = paid()
  await credit([deposit])
  const response = await writer.execute(
    bookMovements({ ...rules, chainId: 56 }, { deposits: [deposit], withdrawals: [] }),
  )
  expect(response).toMatchObject({ credited: [`56:${deposit.txHash}:0`] })
  expect(await available(user)).toBe(200n)
})

/** Moves available units to an account, without a command of a feature. */
function spend(from: string, to: string, units: bigint) {
  const postings = transfer({ from, to, asset: 'USDT', units })
  return writer.execute({
    ...{ kind: 'spend', owner: 'test', payload: {}, preload: [] },
    decide: () => ({ entries: [{ kind: 'test', reference: 'spent', postings }], response: {} }),
  })
}

test('a payment that returns pays insurance and treasury back first', async () => {
  const deposit = paid()
  await credit([deposit, paid({ account: OPERATOR, units: 500n })])
  await spend(TREASURY, INSURANCE, 20n)
  await spend(userAccount(user, 'available'), userAccount(other, 'available'), 70n)
  const held = async () => [await available(user), await balance(INSURANCE), await balance(TREASURY)]
  const [, insurance, treasury] = (await held()) as [bigint, bigint, bigint]
  await writer.execute({
    ...{ kind: 'take_back', owner: 'test', payload: {}, preload: [] },
    decide(state, context) {
      const draft = new Draft(state)
      takeBackDeposit(draft, context, movementId(97, deposit), OPERATOR)
      return draft.plan({})
    },
  })
  expect(await held()).toEqual([0n, insurance - 20n, treasury - 50n])
  expect(await credit([deposit])).toMatchObject({ credited: [movementId(97, deposit)] })
  expect(await held()).toEqual([30n, insurance, treasury])
  const kinds = await db.query<{ kind: string }>('select kind from entries where reference = $1 order by seq', [
    deposit.txHash,
  ])
  expect(kinds.map(({ kind }) => kind)).toEqual(['deposit', 'deposit_reversal', 'reversal_shortfall', 'deposit'])
})

/** Pays 30 of the user's units out, and completes the order `o1`. Remembers the vault that counts each payment. */
function paying(vault: string | undefined) {
  const countedBy: (string | null)[] = []
  const withdrawals: MovementRules['withdrawals'] = {
    preload: () => [],
    complete(draft, _context, { account, asset, units, txHash }, counted) {
      countedBy.push(counted)
      const postings = transfer({ from: userAccount(account, 'available'), to: VAULT, asset, units })
      draft.add({ entries: [{ kind: 'withdrawal', reference: txHash, postings }] })
      return { as: 'completed', orderId: 'o1' }
    },
  }
  const { orderId, ...payment } = paid({ units: 30n })
  const pay = (changes: Partial<ChainWithdrawal> = {}) =>
    writer.execute(
      bookMovements(movementRules(97, { withdrawals, ...(vault === undefined ? {} : { vault }) }), {
        deposits: [],
        withdrawals: [{ ...payment, nonce: 4n, ...changes }],
      }),
    )
  return { pay, countedBy }
}

test('a payout names its completed order, and the vault that counts it', async () => {
  await credit([paid()])
  const { pay, countedBy } = paying(LEDGER_VAULT)
  expect(await pay()).toEqual({ credited: [], completed: ['o1'], unknown: [], stranded: [] })
  await pay({ replacedVault: newAddress() })
  // A ledger without a vault counts nothing.
  const simulated = paying(undefined)
  await simulated.pay()
  expect([...countedBy, ...simulated.countedBy]).toEqual([LEDGER_VAULT, null, null])
  expect(await available(user)).toBe(10n)
})

test('a server that still reads an earlier vault books nothing', async () => {
  await credit([paid()])
  const watched = { id: '97', vault: LEDGER_VAULT, since: NOW }
  await writer.execute({
    ...{ kind: 'bind', owner: 'test', payload: {}, preload: [] },
    decide: () => ({ rows: [write(watchedVaults, watched)], response: {} }),
  })
  const refused = paying(newAddress()).pay()
  await expect(refused).rejects.toMatchObject({ refusal: 'conflict', data: { reason: 'vault_replaced' } })
  expect(await available(user)).toBe(100n)
  await paying(LEDGER_VAULT).pay()
  expect(await available(user)).toBe(70n)
})

test('bookings of features move with the cursor, or not at all', async () => {
  const before = await readCursor(db, 97)
  const orderId = `0x${randomBytes(32).toString('hex')}`
  const booking: CursorBooking = {
    preload: [],
    book: (draft, { now }) =>
      draft.add({ rows: [write(members, { id: user, activated_at: now, activation_order_id: orderId })] }),
  }
  const activated = () => db.query('select activation_order_id from members where id = $1', [user])
  const to = { number: 200n, hash: '0xd', time: NOW }
  await expect(credit([], { from: { hash: '0xgone' }, to, bookings: [booking] })).rejects.toThrow()
  expect(await activated()).toEqual([])
  await credit([], { from: before, to, bookings: [booking] })
  expect(await activated()).toEqual([{ activation_order_id: orderId }])
})

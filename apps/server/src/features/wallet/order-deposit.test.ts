import { randomUUID } from 'node:crypto'
import type { Database } from '@clearwell/ledger/database'
import { Refusal } from '@clearwell/ledger/refusal'
import { expectBooksBalanced, openTestDatabase } from '@clearwell/ledger/testing/database'
import { Writer } from '@clearwell/ledger/writer'
import { amountOf } from '@clearwell/money/amount'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MIGRATION_FOLDERS } from '../../platform/database/open-database.ts'
import { orderDeposit } from './order-deposit.ts'
import { createWalletStore } from './wallet.store.ts'

const NOW = new Date('2026-11-21T09:00:00Z')
const USER = `0x${'a'.repeat(40)}`
const rules = {
  limits: { minIn: amountOf('10', 'USDT').units, maxIn: amountOf('1000', 'USDT').units },
  orderTtlMs: 60_000,
}

let db: Database
let writer: Writer
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

function order(amount: string, { key, userId = USER }: { key?: string; userId?: string } = {}) {
  return writer.execute(orderDeposit(rules, { userId, amount: amountOf(amount, 'USDT'), key }))
}

async function refusalOf(amount: string): Promise<Refusal> {
  return order(amount).then(
    () => expect.unreachable(),
    (error) => error as Refusal,
  )
}

test('accepts orders of exactly the minimum and the maximum', async () => {
  for (const amount of ['10', '1000']) {
    const { orderId } = await order(amount)
    expect(await createWalletStore(db).deposit(USER, orderId)).toMatchObject({
      amount: amountOf(amount, 'USDT').units,
      credited: 0n,
      tx_hash: null,
      created_at: NOW,
      expires_at: new Date(NOW.getTime() + 60_000),
    })
  }
})

test.each(['0', '9.999999999999999999', '1000.000000000000000001'])(
  'rejects an order of %s with both limits and stores nothing',
  async (amount) => {
    const before = await createWalletStore(db).deposits(USER, undefined, 100)
    const error = await refusalOf(amount)
    expect(error).toBeInstanceOf(Refusal)
    expect(error).toMatchObject({ refusal: 'amount_out_of_range', data: { min: '10', max: '1000' } })
    expect(await createWalletStore(db).deposits(USER, undefined, 100)).toEqual(before)
  },
)

test('order ids are unique and 32 bytes in hex', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, async () => (await order('10')).orderId))
  for (const id of ids) expect(id).toMatch(/^0x[0-9a-f]{64}$/)
  expect(new Set(ids).size).toBe(20)
})

test('returns the same order for a key of the same user', async () => {
  const key = randomUUID()
  const first = await order('20', { key })
  expect(await order('20', { key })).toEqual(first)
  await expect(order('21', { key })).rejects.toMatchObject({ refusal: 'conflict', data: { reason: 'key_reused' } })
  const others = await order('20', { key, userId: `0x${'b'.repeat(40)}` })
  expect(others.orderId).not.toBe(first.orderId)
})

test('an order moves no funds', async () => {
  await order('500')
  expect(await db.query('select * from entries')).toEqual([])
})

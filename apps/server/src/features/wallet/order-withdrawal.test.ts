import { randomUUID } from 'node:crypto'
import { write } from '@clearwell/ledger/command'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { breakers } from '../../platform/ledger/breaker.ts'
import { orderWithdrawal } from './order-withdrawal.ts'
import { ANN, BEN, openWithdrawalBench, START, TTL_MS, type WithdrawalBench } from './testing/withdrawal.ts'
import { voucherOf } from './voucher.ts'

let bench: WithdrawalBench
beforeEach(async () => {
  bench = await openWithdrawalBench()
})
afterEach(async () => {
  await expectBooksBalanced(bench.db)
  expect(bench.alarms).toEqual([])
  await bench.close()
})

test('an order locks its amount for one hour with its nonce', async () => {
  await bench.fund(ANN, 100n)
  const order = await bench.lock(ANN, 40n)
  expect(await bench.balances(ANN)).toEqual({ available: 60n, locked: 40n })
  expect(order).toMatchObject({
    user_id: ANN,
    asset: 'BNB',
    amount: 40n,
    status: 'locked',
    signature: null,
    tx_hash: null,
    created_at: START,
    deadline: new Date(START.getTime() + TTL_MS),
  })
  expect(order.id).toMatch(/^[0-9a-f]{32}$/)
  expect(order.nonce).toBe(BigInt(`0x${order.id}`))
  expect(await bench.entriesOf('withdrawal_lock')).toEqual([order.id])
})

test('nonces are random and unique', async () => {
  await bench.fund(ANN, 100n)
  const orders = await Promise.all(Array.from({ length: 20 }, () => bench.lock(ANN, 1n)))
  expect(new Set(orders.map((order) => order.nonce)).size).toBe(20)
  // Twenty small numbers in a row are practically impossible with 128 random bits.
  expect(orders.some((order) => order.nonce > 2n ** 120n)).toBe(true)
})

test('the deadline is a whole second, as in block timestamps', async () => {
  await bench.fund(ANN, 100n)
  bench.advance(1_234)
  expect((await bench.lock(ANN, 1n)).deadline).toEqual(new Date(START.getTime() + TTL_MS + 1_000))
})

test('a corrected clock does not make vouchers valid for a year', async () => {
  await bench.fund(ANN, 100n)
  const year = 365 * 24 * TTL_MS
  bench.moveClock(year)
  await bench.lock(ANN, 1n)
  bench.moveClock(-year)
  const order = await bench.lock(ANN, 1n)
  expect(order.created_at).toEqual(START)
  expect(order.deadline).toEqual(new Date(START.getTime() + TTL_MS))
  expect((await bench.signer.sign(voucherOf({ tokens: [] }, order))).status).toBe('signed')
})

test.each([0n, 4n, 51n])('rejects an amount of %s with both limits and locks nothing', async (units) => {
  await bench.fund(ANN, 100n)
  const rules = { limits: { minOut: 5n, maxOut: 50n }, voucherTtlMs: TTL_MS }
  const asked = orderWithdrawal(rules, { userId: ANN, amount: { asset: 'BNB', units }, key: undefined, now: START })
  await expect(bench.writer.execute(asked)).rejects.toMatchObject({
    refusal: 'amount_out_of_range',
    data: { min: '0.000000000000000005', max: '0.00000000000000005' },
  })
  expect(await bench.balances(ANN)).toEqual({ available: 100n, locked: 0n })
})

test('rejects more than is available, ignoring locked and other balances', async () => {
  await bench.fund(ANN, 100n)
  await bench.fund(BEN, 500n)
  await bench.lock(ANN, 60n)
  await expect(bench.lock(ANN, 41n)).rejects.toMatchObject({ refusal: 'balance_not_enough' })
  await bench.lock(ANN, 40n)
  expect(await bench.balances(ANN)).toEqual({ available: 0n, locked: 100n })
  expect(await bench.balances(BEN)).toEqual({ available: 500n, locked: 0n })
})

test('two concurrent orders for the whole balance lock it once', async () => {
  await bench.fund(ANN, 100n)
  const outcomes = await Promise.allSettled([bench.lock(ANN, 100n), bench.lock(ANN, 100n)])
  expect(outcomes.map((each) => each.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await bench.balances(ANN)).toEqual({ available: 0n, locked: 100n })
})

test('returns the same order for a key, rejects another amount', async () => {
  await bench.fund(ANN, 100n)
  const key = randomUUID()
  const first = await bench.lock(ANN, 40n, key)
  expect(await bench.lock(ANN, 40n, key)).toEqual(first)
  await expect(bench.lock(ANN, 41n, key)).rejects.toMatchObject({ refusal: 'conflict', data: { reason: 'key_reused' } })
  expect(await bench.balances(ANN)).toEqual({ available: 60n, locked: 40n })
})

test('rejects orders with the reason while the solvency breaker is open', async () => {
  await bench.fund(ANN, 100n)
  const stopped = { id: 'solvency', stopped_at: START, reason: 'insolvent', detail: 'a test' } as const
  const open = (row: typeof stopped | { id: string; stopped_at: null; reason: null; detail: null }) =>
    bench.writer.execute({
      kind: 'set_breaker',
      owner: 'test',
      payload: {},
      preload: [],
      decide: () => ({ rows: [write(breakers, row)], response: {} }),
    })
  await open(stopped)
  await expect(bench.lock(ANN, 40n)).rejects.toMatchObject({
    refusal: 'trading_suspended',
    data: { reason: 'insolvent' },
  })
  expect(await bench.balances(ANN)).toEqual({ available: 100n, locked: 0n })
  await open({ id: 'solvency', stopped_at: null, reason: null, detail: null })
  await bench.lock(ANN, 40n)
  expect(await bench.balances(ANN)).toEqual({ available: 60n, locked: 40n })
})

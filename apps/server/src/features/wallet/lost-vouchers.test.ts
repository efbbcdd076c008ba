import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { NotReady } from '@clearwell/ledger/writer'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPayoutGuard } from '../../platform/custody/payout-guard.ts'
import { findLostVouchers } from './lost-vouchers.ts'
import { settleWithdrawal } from './settle-withdrawal.ts'
import { ANN, openWithdrawalBench, type WithdrawalBench } from './testing/withdrawal.ts'

const LOST = 12_345n

let bench: WithdrawalBench
beforeEach(async () => {
  bench = await openWithdrawalBench()
  await bench.fund(ANN, 1_000n)
})
afterEach(async () => {
  await expectBooksBalanced(bench.db)
  await bench.close()
})

async function signed() {
  const { store, writer, signer, clock } = bench
  const locked = await bench.lock(ANN, 40n)
  await settleWithdrawal({ store, writer, signer, clock, custody: { tokens: [] } }, locked)
  return bench.row(locked.id)
}

/** The guard of a server with this signer. */
function guardOf(signer: string) {
  const { db, chain } = bench
  const reports: string[] = []
  const onError = (error: unknown, task: string) => reports.push(`${task}: ${(error as Error).message}`)
  return {
    check: createPayoutGuard({ db, chain, signer, findLost: (nonces) => findLostVouchers(db, nonces), onError }),
    reports,
  }
}

test('signs while every payout has an order', async () => {
  const order = await signed()
  const { check, reports } = guardOf(bench.signer.address)
  expect(await check()).toBeUndefined()
  bench.chain.mine(bench.paymentOf(order))
  expect(await check()).toBeUndefined()
  expect(reports).toEqual([])
})

test('stops a signer whose unconfirmed payout has no order, and no other', async () => {
  const order = await signed()
  bench.chain.mine(bench.paymentOf(order, { nonce: LOST }))
  const { check, reports } = guardOf(bench.signer.address)
  expect([await check(), await check()]).toEqual(['ledger_behind', 'ledger_behind'])
  expect(reports).toEqual([expect.stringMatching(/^withdrawals: .*docs\/recipes\/restore-a-backup\.md$/)])
  expect(await guardOf(`0x${'9'.repeat(40)}`).check()).toBeUndefined()
})

test('stops that signer for good once the payout is booked', async () => {
  const order = await signed()
  bench.chain.mine(bench.paymentOf(order, { nonce: LOST }))
  bench.chain.mineEmpty(2)
  await bench.watcher.poll()
  const [row] = await bench.db.query('select lost_signer from unknown_withdrawals')
  expect(row).toEqual({ lost_signer: bench.signer.address })
  expect(await guardOf(bench.signer.address).check()).toBe('ledger_behind')
  expect(await guardOf(`0x${'9'.repeat(40)}`).check()).toBeUndefined()
})

test('a payout of a known order stops no signer', async () => {
  const order = await signed()
  bench.chain.mine(bench.paymentOf(order, { units: 39n }))
  bench.chain.mineEmpty(2)
  await bench.watcher.poll()
  const rows = await bench.db.query('select reason, lost_signer from unknown_withdrawals')
  expect(rows).toEqual([{ reason: `order ${order.id} is for another amount`, lost_signer: null }])
  expect(await guardOf(bench.signer.address).check()).toBeUndefined()
})

test('waits while the watcher is far behind the head', async () => {
  await signed()
  bench.chain.mineEmpty(2_005)
  await expect(guardOf(bench.signer.address).check()).rejects.toThrow(NotReady)
})

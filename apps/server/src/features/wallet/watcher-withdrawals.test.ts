import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { nativeAsset } from '@clearwell/vault/abi/withdrawal-typed-data'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ChainBlock } from '../../platform/chain/chain.ts'
import { readCursor } from '../../platform/custody/chain-cursors.ts'
import { expireWithdrawals } from './close-withdrawal.ts'
import { settleWithdrawal } from './settle-withdrawal.ts'
import { ANN, BEN, openWithdrawalBench, TTL_MS, type WithdrawalBench } from './testing/withdrawal.ts'
import type { WithdrawalRow } from './withdrawal-orders.ts'

let bench: WithdrawalBench
let order: WithdrawalRow
beforeEach(async () => {
  bench = await openWithdrawalBench()
  await bench.fund(ANN, 1_000n)
  await bench.fund(BEN, 1_000n)
  order = await signed(ANN, 400n)
})
afterEach(async () => {
  await expectBooksBalanced(bench.db)
  await bench.close()
})

/** Creates an order with a signed voucher. */
async function signed(user: string, units: bigint): Promise<WithdrawalRow> {
  const { store, writer, signer, clock } = bench
  const locked = await bench.lock(user, units)
  await settleWithdrawal({ store, writer, signer, clock, custody: { tokens: [] } }, locked)
  return bench.row(locked.id)
}

const statusOf = async (each: WithdrawalRow) => (await bench.row(each.id)).status
const unknown = () =>
  bench.db.query('select id, reason, account, asset, units, nonce, tx_hash from unknown_withdrawals')
const progress = async () => {
  const { nonce, user_id: account, asset, amount: units } = order
  const unconfirmed = await bench.watcher.unconfirmedOf(account)
  return unconfirmed.withdrawalProgressOf({ nonce, account, asset, units })
}
/** Moves the block time past every deadline and finalizes that block. */
function passDeadlines(): void {
  bench.advance(TTL_MS + 1_000)
  bench.chain.mineEmpty(2)
}

describe('a payment of the vault', () => {
  test('a payment completes its order at the third confirmation', async () => {
    const payment = bench.paymentOf(order)
    bench.chain.mine(payment)
    for (const confirmations of [1, 2]) {
      await bench.watcher.poll()
      expect(await progress()).toEqual({ txHash: payment.txHash, confirmations })
      expect(await statusOf(order)).toBe('signed')
      expect(await bench.balances(ANN)).toEqual({ available: 600n, locked: 400n })
      bench.chain.mineEmpty(1)
    }
    await bench.watcher.poll()
    expect(await progress()).toBeUndefined()
    expect(await bench.row(order.id)).toMatchObject({ status: 'completed', tx_hash: payment.txHash })
    expect(await bench.balances(ANN)).toEqual({ available: 600n, locked: 0n })
    expect(await bench.entriesOf('withdrawal')).toEqual([payment.txHash])
    expect(bench.alarms).toEqual([])
  })

  test('a payment completes its order once despite restarts and duplicates', async () => {
    const payment = bench.paymentOf(order)
    bench.chain.mine(payment)
    bench.chain.mineEmpty(2)
    const honest = bench.chain.movements
    bench.chain.movements = async (range) => {
      const { deposits, withdrawals } = await honest(range)
      return { deposits, withdrawals: [...withdrawals, ...withdrawals] }
    }
    await Promise.all([bench.watcher.poll(), bench.watcher.lookUp(payment.txHash), bench.newWatcher().poll()])
    expect(await bench.watcher.lookUp(payment.txHash)).toMatchObject({
      status: 'already',
      deposits: [],
      withdrawals: [{ nonce: order.nonce, units: 400n }],
    })
    await bench.newWatcher().poll()
    expect(await bench.entriesOf('withdrawal')).toEqual([payment.txHash])
    expect(await unknown()).toEqual([])
  })

  test('a missed payment completes its order on look-up', async () => {
    const payment = bench.paymentOf(order)
    bench.chain.mine(payment)
    bench.chain.mineEmpty(2)
    const honest = bench.chain.movements
    bench.chain.movements = async () => ({ deposits: [], withdrawals: [] })
    await bench.watcher.poll()
    bench.chain.movements = honest
    expect(await statusOf(order)).toBe('signed')
    await bench.watcher.lookUp(payment.txHash)
    expect(await statusOf(order)).toBe('completed')
    expect(await bench.balances(ANN)).toEqual({ available: 600n, locked: 0n })
  })

  test('a payment removed by a reorg completes nothing', async () => {
    const payment = bench.paymentOf(order)
    bench.chain.mine(payment)
    bench.chain.mineEmpty(1)
    await bench.watcher.poll()
    bench.chain.reorg(2)
    bench.chain.mineEmpty(4)
    await bench.watcher.poll()
    expect(await statusOf(order)).toBe('signed')
    expect(await progress()).toBeUndefined()
    bench.chain.mine(payment)
    bench.chain.mineEmpty(2)
    await bench.watcher.poll()
    expect(await statusOf(order)).toBe('completed')
    expect(await bench.entriesOf('withdrawal')).toEqual([payment.txHash])
  })

  test("the vault's payments of one block are recorded in one pass", async () => {
    const others = [await signed(BEN, 1n), await signed(BEN, 2n), await signed(ANN, 3n)]
    bench.chain.mine(...[order, ...others].map((each) => bench.paymentOf(each)))
    bench.chain.mineEmpty(2)
    await bench.watcher.poll()
    for (const each of [order, ...others]) expect(await statusOf(each)).toBe('completed')
    expect(await bench.balances(BEN)).toEqual({ available: 997n, locked: 0n })
    expect(await bench.balances(ANN)).toEqual({ available: 597n, locked: 0n })
  })
})

describe('a payment of the vault without a matching order', () => {
  test.each<[string, () => ReturnType<WithdrawalBench['paymentOf']>, string]>([
    ['an unknown nonce', () => bench.paymentOf(order, { nonce: 7n }), 'no order has its nonce'],
    ['a nonce beyond 128 bits', () => bench.paymentOf(order, { nonce: 2n ** 200n + 1n }), 'no order has its nonce'],
    ['another account', () => bench.paymentOf(order, { account: BEN }), 'is of another account'],
    ['another amount', () => bench.paymentOf(order, { units: 401n }), 'is for another amount'],
    ['another asset', () => bench.paymentOf(order, { asset: 'USDT' }), 'is for another amount'],
  ])('a vault payment by %s without an order is only reported', async (_why, paid, reason) => {
    const payment = paid()
    bench.chain.mine(payment)
    bench.chain.mineEmpty(2)
    await bench.watcher.poll()
    await bench.newWatcher().poll()
    await bench.watcher.lookUp(payment.txHash)
    const { account, asset, units, nonce, txHash: tx_hash } = payment
    const row = {
      id: `31337:${tx_hash}:0`,
      reason: expect.stringContaining(reason),
      account,
      asset,
      units,
      nonce,
      tx_hash,
    }
    expect(await unknown()).toEqual([row])
    expect(bench.alarms).toEqual([expect.stringMatching(/^withdrawals: the vault's payment 31337:0x/)])
    expect(await bench.entriesOf('withdrawal')).toEqual([])
    expect(await bench.balances(ANN)).toEqual({ available: 600n, locked: 400n })
    await bench.fund(BEN, 5n)
    expect(await bench.balances(BEN)).toEqual({ available: 1_005n, locked: 0n })
  })

  test("a payment after its order's return raises an alarm only", async () => {
    passDeadlines()
    await bench.watcher.poll()
    expect(await statusOf(order)).toBe('expired')
    bench.chain.mine(bench.paymentOf(order))
    bench.chain.mineEmpty(2)
    await bench.watcher.poll()
    expect(await unknown()).toEqual([expect.objectContaining({ reason: `order ${order.id} is expired already` })])
    expect(await bench.balances(ANN)).toEqual({ available: 1_000n, locked: 0n })
    expect(bench.alarms).toHaveLength(1)
  })
})

describe('an unsubmitted voucher', () => {
  test('a voucher expires when a block past its deadline is final', async () => {
    bench.advance(TTL_MS)
    bench.chain.mineEmpty(2)
    await bench.watcher.poll()
    // The final block has the deadline's own second, in which the vault still pays; the next block is past it.
    expect((await readCursor(bench.db, 31337))?.time).toEqual(order.deadline)
    expect(await statusOf(order)).toBe('signed')
    expect(await bench.balances(ANN)).toEqual({ available: 600n, locked: 400n })
    bench.chain.mineEmpty(1)
    await bench.watcher.poll()
    expect(await bench.row(order.id)).toMatchObject({ status: 'expired', tx_hash: null })
    expect(await bench.balances(ANN)).toEqual({ available: 1_000n, locked: 0n })
    expect(await bench.entriesOf('withdrawal_release')).toEqual([order.id])
    expect(bench.alarms).toEqual([])
  })

  test('a voucher expires once despite several watchers and restarts', async () => {
    passDeadlines()
    const watchers = [bench.watcher, bench.newWatcher(), bench.newWatcher()]
    await Promise.all(watchers.map((each) => each.poll()))
    for (const each of watchers) await each.poll()
    expect(await bench.entriesOf('withdrawal_release')).toEqual([order.id])
    expect(await bench.balances(ANN)).toEqual({ available: 1_000n, locked: 0n })
  })

  test('a voucher paid in its last second does not expire', async () => {
    bench.advance(TTL_MS)
    bench.chain.mine(bench.paymentOf(order))
    passDeadlines()
    await bench.watcher.poll()
    expect(await statusOf(order)).toBe('completed')
    expect(await bench.entriesOf('withdrawal_release')).toEqual([])
  })

  test('a nonce used without a payment raises one alarm', async () => {
    const payment = bench.paymentOf(order)
    bench.chain.mine(payment)
    const honest = bench.chain.movements
    bench.chain.movements = async (range) => ({ ...(await honest(range)), withdrawals: [] })
    passDeadlines()
    const other = await signed(BEN, 5n)
    await bench.watcher.poll()
    await bench.watcher.poll()
    expect(await statusOf(order)).toBe('signed')
    expect(await bench.balances(ANN)).toEqual({ available: 600n, locked: 400n })
    expect(bench.alarms).toEqual([`withdrawals: the vault has paid order ${order.id}, but reported no payment`])
    // Other orders still expire.
    passDeadlines()
    await bench.watcher.poll()
    expect(await statusOf(other)).toBe('expired')
    expect(bench.alarms).toHaveLength(1)
    bench.chain.movements = honest
    await bench.watcher.lookUp(payment.txHash)
    expect(await statusOf(order)).toBe('completed')
  })

  test('an unsubmitted voucher does not expire while its nonce cannot be read', async () => {
    passDeadlines()
    bench.chain.beforeResponse = (question) => {
      if (question === 'isNonceUsed') throw new Error('missing trie node')
    }
    await bench.watcher.poll()
    expect(await statusOf(order)).toBe('signed')
    expect(bench.alarms).toEqual(['watcher: missing trie node'])
    bench.chain.beforeResponse = undefined
    await bench.watcher.poll()
    expect(await statusOf(order)).toBe('expired')
  })

  test("a replaced fork's response does not expire an unsubmitted voucher", async () => {
    passDeadlines()
    bench.chain.beforeResponse = (question) => {
      if (question !== 'isNonceUsed') return
      bench.chain.beforeResponse = undefined
      bench.chain.reorg(5)
      bench.chain.mine(bench.paymentOf(order))
      bench.chain.mineEmpty(6)
    }
    await bench.watcher.poll()
    expect(await statusOf(order)).toBe('signed')
    expect(await bench.entriesOf('withdrawal_release')).toEqual([])
    await bench.watcher.poll()
    await bench.watcher.poll()
    expect(bench.watcher.halted).toContain('is not any more')
  })

  test('an expired voucher frees the daily cap for other users', async () => {
    await bench.fund(BEN, 9_000n)
    for (let made = 0; made < 9; made++) await signed(BEN, 1_000n)
    await signed(BEN, 600n)
    const left = async () => (await bench.signer.dayRoom(nativeAsset, ANN)).left
    expect(await left()).toBe(0n)
    expect((await signed(ANN, 1n)).status).toBe('refused')
    passDeadlines()
    await bench.watcher.poll()
    expect(await left()).toBe(10_000n)
    expect((await signed(ANN, 500n)).status).toBe('signed')
  })

  test('unsubmitted vouchers are checked in parallel', async () => {
    for (let made = 0; made < 20; made++) await signed(BEN, 1n)
    passDeadlines()
    let waiting = 0
    let most = 0
    bench.chain.beforeResponse = async (question) => {
      if (question !== 'isNonceUsed') return
      most = Math.max(most, ++waiting)
      await new Promise(setImmediate)
      waiting--
    }
    await bench.watcher.poll()
    expect(most).toBe(21)
    expect(await bench.entriesOf('withdrawal_release')).toHaveLength(21)
  })

  test('an unsubmitted voucher is not checked before its deadline', async () => {
    const asked = bench.chain.askedCount.isNonceUsed
    bench.chain.mineEmpty(10)
    await bench.watcher.poll()
    expect(bench.chain.askedCount.isNonceUsed).toBe(asked)
    passDeadlines()
    const fresh = await signed(BEN, 5n)
    await bench.watcher.poll()
    await bench.watcher.poll()
    // One by the watcher, one by the signer.
    expect(bench.chain.askedCount.isNonceUsed).toBe(asked + 2)
    expect(await statusOf(fresh)).toBe('signed')
  })

  test('an unsigned order expires like a signed one', async () => {
    const locked = await bench.lock(BEN, 10n)
    passDeadlines()
    await bench.watcher.poll()
    expect(await statusOf(locked)).toBe('expired')
    expect(await bench.balances(BEN)).toEqual({ available: 1_000n, locked: 0n })
  })
})

describe('the command that expires withdrawals', () => {
  const expire = (at: ChainBlock) => bench.writer.execute(expireWithdrawals(31337, [order.id], at))

  test('expiry requires the block and the cursor past the deadline', async () => {
    const cursor = (await readCursor(bench.db, 31337)) as ChainBlock
    const late = new Date(order.deadline.getTime() + 1_000)
    expect(await expire({ ...cursor, time: late })).toEqual({ expired: [] })
    await expect(expire({ ...cursor, number: cursor.number + 1n, time: late })).rejects.toMatchObject({
      refusal: 'conflict',
    })
    expect(await expire({ ...cursor, time: order.deadline })).toEqual({ expired: [] })
    expect(await statusOf(order)).toBe('signed')
  })
})

import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { nativeAsset } from '@clearwell/vault/abi/withdrawal-typed-data'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ChainBlock } from '../../platform/chain/chain.ts'
import { readCursor } from '../../platform/custody/chain-cursors.ts'
import { expireWithdrawals } from './close-withdrawal.ts'
import { settleWithdrawal } from './settle-withdrawal.ts'
import { ANN, BEN, openWithdrawalBench, TTL_MS, type WithdrawalBench } from './testing/withdrawal.ts'
import type { WithdrawalOrderRow } from './wallet.store.ts'

let bench: WithdrawalBench
let order: WithdrawalOrderRow
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

/** An order whose voucher can be submitted. */
async function signed(user: string, units: bigint): Promise<WithdrawalOrderRow> {
  const { store, writer, signer } = bench
  const locked = await bench.lock(user, units)
  await settleWithdrawal({ store, writer, signer, custody: { tokens: [] } }, locked)
  return bench.row(locked.id)
}

const statusOf = async (each: WithdrawalOrderRow) => (await bench.row(each.id)).status
const unknown = () =>
  bench.db.query('select id, reason, account, asset, units, nonce, tx_hash from unknown_withdrawals')
const progress = () => {
  const { nonce, user_id: account, asset, amount: units } = order
  return bench.watcher.withdrawalProgressOf({ nonce, account, asset, units })
}
/** The block time goes past every deadline, and that block becomes final. */
function passDeadlines(): void {
  bench.advance(TTL_MS + 1_000)
  bench.chain.mineEmpty(2)
}

describe('a payment of the vault', () => {
  test('completes its order with the third block and not before, and shows its confirmations meanwhile', async () => {
    const payment = bench.paymentOf(order)
    bench.chain.mine(payment)
    for (const confirmations of [1, 2]) {
      await bench.watcher.poll()
      expect(progress()).toEqual({ txHash: payment.txHash, confirmations })
      expect(await statusOf(order)).toBe('signed')
      expect(await bench.balances(ANN)).toEqual({ available: 600n, locked: 400n })
      bench.chain.mineEmpty(1)
    }
    await bench.watcher.poll()
    expect(progress()).toBeUndefined()
    expect(await bench.row(order.id)).toMatchObject({ status: 'completed', tx_hash: payment.txHash })
    expect(await bench.balances(ANN)).toEqual({ available: 600n, locked: 0n })
    expect(await bench.entriesOf('withdrawal')).toEqual([payment.txHash])
    expect(bench.alarms).toEqual([])
  })

  test('completes its order once: over restarts, when it is looked up, and when a node tells of it twice', async () => {
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

  test('that the watcher has passed by is booked when its transaction is looked up', async () => {
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

  test('that a reorganisation takes out before it is final completes nothing, and does once it is mined again', async () => {
    const payment = bench.paymentOf(order)
    bench.chain.mine(payment)
    bench.chain.mineEmpty(1)
    await bench.watcher.poll()
    bench.chain.reorg(2)
    bench.chain.mineEmpty(4)
    await bench.watcher.poll()
    expect(await statusOf(order)).toBe('signed')
    expect(progress()).toBeUndefined()
    bench.chain.mine(payment)
    bench.chain.mineEmpty(2)
    await bench.watcher.poll()
    expect(await statusOf(order)).toBe('completed')
    expect(await bench.entriesOf('withdrawal')).toEqual([payment.txHash])
  })

  test('and many deposits and payments of one block are booked in one pass', async () => {
    const others = [await signed(BEN, 1n), await signed(BEN, 2n), await signed(ANN, 3n)]
    bench.chain.mine(...[order, ...others].map((each) => bench.paymentOf(each)))
    bench.chain.mineEmpty(2)
    await bench.watcher.poll()
    for (const each of [order, ...others]) expect(await statusOf(each)).toBe('completed')
    expect(await bench.balances(BEN)).toEqual({ available: 997n, locked: 0n })
    expect(await bench.balances(ANN)).toEqual({ available: 597n, locked: 0n })
  })
})

describe('a payment of the vault that no order accounts for', () => {
  test.each<[string, () => ReturnType<WithdrawalBench['paymentOf']>, string]>([
    ['an unknown nonce', () => bench.paymentOf(order, { nonce: 7n }), 'no order has its nonce'],
    ['a nonce beyond 128 bits', () => bench.paymentOf(order, { nonce: 2n ** 200n + 1n }), 'no order has its nonce'],
    ['another account', () => bench.paymentOf(order, { account: BEN }), 'is of another account'],
    ['another amount', () => bench.paymentOf(order, { units: 401n }), 'is for another amount'],
    ['another asset', () => bench.paymentOf(order, { asset: 'USDT' }), 'is for another amount'],
  ])('by %s posts nothing, is written down and told of once, and stops nothing', async (_why, paid, reason) => {
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

  test('because its order was given back is an alarm: the money is not taken from what the user has since', async () => {
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

describe('a voucher that nobody submits', () => {
  test('is given back once a block past its deadline is final, and not a block before', async () => {
    bench.advance(TTL_MS)
    bench.chain.mineEmpty(2)
    await bench.watcher.poll()
    // The block that is final is of the deadline's own second, which still pays; the one after it is past it.
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

  test('is given back once, whoever looks, and over restarts', async () => {
    passDeadlines()
    const watchers = [bench.watcher, bench.newWatcher(), bench.newWatcher()]
    await Promise.all(watchers.map((each) => each.poll()))
    for (const each of watchers) await each.poll()
    expect(await bench.entriesOf('withdrawal_release')).toEqual([order.id])
    expect(await bench.balances(ANN)).toEqual({ available: 1_000n, locked: 0n })
  })

  test('is not given back when it was paid in the last second, however late that is seen', async () => {
    bench.advance(TTL_MS)
    bench.chain.mine(bench.paymentOf(order))
    passDeadlines()
    await bench.watcher.poll()
    expect(await statusOf(order)).toBe('completed')
    expect(await bench.entriesOf('withdrawal_release')).toEqual([])
  })

  test('is not given back when its nonce is used and no payment was told of; that is an alarm, once', async () => {
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
    expect(bench.alarms).toEqual([`withdrawals: the vault has paid order ${order.id}, but told of no payment`])
    // It keeps no other order from being given back.
    passDeadlines()
    await bench.watcher.poll()
    expect(await statusOf(other)).toBe('expired')
    expect(bench.alarms).toHaveLength(1)
    bench.chain.movements = honest
    await bench.watcher.lookUp(payment.txHash)
    expect(await statusOf(order)).toBe('completed')
  })

  test('is not given back while nobody can say whether its nonce is used, and is afterwards', async () => {
    passDeadlines()
    bench.chain.beforeAnswer = (question) => {
      if (question === 'isNonceUsed') throw new Error('missing trie node')
    }
    await bench.watcher.poll()
    expect(await statusOf(order)).toBe('signed')
    expect(bench.alarms).toEqual(['watcher: missing trie node'])
    bench.chain.beforeAnswer = undefined
    await bench.watcher.poll()
    expect(await statusOf(order)).toBe('expired')
  })

  test('is not given back on the word of a fork that is gone before the answer', async () => {
    passDeadlines()
    bench.chain.beforeAnswer = (question) => {
      if (question !== 'isNonceUsed') return
      bench.chain.beforeAnswer = undefined
      bench.chain.reorg(5)
      bench.chain.mine(bench.paymentOf(order))
      bench.chain.mineEmpty(6)
    }
    await bench.watcher.poll()
    expect(await statusOf(order)).toBe('signed')
    expect(await bench.entriesOf('withdrawal_release')).toEqual([])
    await bench.watcher.poll()
    expect(bench.watcher.halted).toContain('is not any more')
  })

  test('holds up nobody: what one user leaves lying takes nothing of the day from the others', async () => {
    await bench.fund(BEN, 9_000n)
    for (let made = 0; made < 9; made++) await signed(BEN, 1_000n)
    await signed(BEN, 600n)
    const room = async () => (await bench.signer.room(nativeAsset)) as { leftToday: bigint }
    expect((await room()).leftToday).toBe(0n)
    expect((await signed(ANN, 1n)).status).toBe('refused')
    passDeadlines()
    await bench.watcher.poll()
    expect((await room()).leftToday).toBe(10_000n)
    expect((await signed(ANN, 500n)).status).toBe('signed')
  })

  test('is one of many that are asked about at once, and not one after the other', async () => {
    for (let made = 0; made < 20; made++) await signed(BEN, 1n)
    passDeadlines()
    let waiting = 0
    let most = 0
    bench.chain.beforeAnswer = async (question) => {
      if (question !== 'isNonceUsed') return
      most = Math.max(most, ++waiting)
      await new Promise(setImmediate)
      waiting--
    }
    await bench.watcher.poll()
    expect(most).toBe(21)
    expect(await bench.entriesOf('withdrawal_release')).toHaveLength(21)
  })

  test('only those that are due are asked about', async () => {
    const asked = bench.chain.askedCount.isNonceUsed
    bench.chain.mineEmpty(10)
    await bench.watcher.poll()
    expect(bench.chain.askedCount.isNonceUsed).toBe(asked)
    passDeadlines()
    const fresh = await signed(BEN, 5n)
    await bench.watcher.poll()
    await bench.watcher.poll()
    // By the watcher and by the signer.
    expect(bench.chain.askedCount.isNonceUsed).toBe(asked + 2)
    expect(await statusOf(fresh)).toBe('signed')
  })

  test('a locked order that was never signed is given back like any other', async () => {
    const locked = await bench.lock(BEN, 10n)
    passDeadlines()
    await bench.watcher.poll()
    expect(await statusOf(locked)).toBe('expired')
    expect(await bench.balances(BEN)).toEqual({ available: 1_000n, locked: 0n })
  })
})

describe('the command that gives back', () => {
  const expire = (at: ChainBlock) => bench.writer.execute(expireWithdrawals(31337, [order.id], at))

  test('trusts neither its caller’s block nor its own cursor alone: both must be past the deadline', async () => {
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

import type { Command } from '@clearwell/ledger/command'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { NotReady } from '@clearwell/ledger/writer'
import { type WithdrawalVoucher, withdrawalDomain, withdrawalTypes } from '@clearwell/vault/abi/withdrawal-typed-data'
import { recoverTypedDataAddress } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Signer } from '../../platform/signer/signer.ts'
import { fixedRule } from '../../testing/fixed-rule.ts'
import { resumeWithdrawals, type SettleDependencies, settleWithdrawal, signAgain } from './settle-withdrawal.ts'
import { ANN, BEN, openWithdrawalBench, START, TTL_MS, type WithdrawalBench } from './testing/withdrawal.ts'
import { voucherOf } from './voucher.ts'
import { withdrawalHandlers } from './withdrawal.handlers.ts'

let bench: WithdrawalBench
beforeEach(async () => {
  bench = await openWithdrawalBench()
  await bench.fund(ANN, 1_000n)
})
afterEach(async () => {
  await expectBooksBalanced(bench.db)
  await bench.close()
})

const deps = (changes: Partial<SettleDependencies> = {}): SettleDependencies => ({
  store: bench.store,
  writer: bench.writer,
  signer: bench.signer,
  clock: bench.clock,
  custody: { tokens: [] },
  ...changes,
})
const resume = () => resumeWithdrawals(deps(), (error, task) => bench.alarms.push(`${task}: ${error}`))

class Killed extends Error {}

/** A signer or writer that crashes before its work, or after it and before responding. */
function killed(
  where: 'before signing' | 'after signing' | 'before recording' | 'after recording',
): SettleDependencies {
  const signer: Signer = {
    ...bench.signer,
    async sign(voucher) {
      if (where === 'before signing') throw new Killed()
      const outcome = await bench.signer.sign(voucher)
      if (where === 'after signing') throw new Killed()
      return outcome
    },
  }
  const execute = async (command: Command<unknown>) => {
    if (where === 'before recording') throw new Killed()
    const response = await bench.writer.execute(command)
    if (where === 'after recording') throw new Killed()
    return response
  }
  const writer = { isWriting: true, execute } as unknown as SettleDependencies['writer']
  return deps({ signer, writer })
}

describe.each(['before signing', 'after signing', 'before recording', 'after recording'] as const)(
  'a server that is killed %s',
  (where) => {
    test('signs the order once after a restart', async () => {
      const order = await bench.lock(ANN, 400n)
      await expect(settleWithdrawal(killed(where), order)).rejects.toThrow(Killed)
      expect(await bench.balances(ANN)).toEqual({ available: 600n, locked: 400n })
      await resume()
      await resume()
      const signed = await bench.row(order.id)
      expect(signed.status).toBe('signed')
      expect(await bench.db.query('select units, refused from signed_vouchers')).toEqual([
        { units: 400n, refused: null },
      ])
      bench.chain.mine(bench.paymentOf(signed))
      bench.chain.mineEmpty(2)
      await bench.watcher.poll()
      expect((await bench.row(order.id)).status).toBe('completed')
      expect(await bench.balances(ANN)).toEqual({ available: 600n, locked: 0n })
    })

    test('returns a refused amount once after a restart', async () => {
      bench.chain.setVaultState({ isPaused: true })
      const order = await bench.lock(ANN, 400n)
      await expect(settleWithdrawal(killed(where), order)).rejects.toThrow(Killed)
      bench.chain.setVaultState({ isPaused: where !== 'after signing' && where !== 'before recording' })
      await resume()
      await resume()
      expect(await bench.row(order.id)).toMatchObject({ status: 'refused', refused_reason: 'withdrawals_paused' })
      expect(await bench.balances(ANN)).toEqual({ available: 1_000n, locked: 0n })
      expect(await bench.entriesOf('withdrawal_release')).toEqual([order.id])
    })
  },
)

test('an order with a lost signature stays locked while withdrawals stop', async () => {
  const order = await bench.lock(ANN, 400n)
  await expect(settleWithdrawal(killed('after signing'), order)).rejects.toThrow(Killed)
  bench.chain.setVaultState({ isPaused: true })
  await resume()
  expect((await bench.row(order.id)).status).toBe('locked')
  expect(await bench.balances(ANN)).toEqual({ available: 600n, locked: 400n })
  // The voucher still pays if it left the server.
  bench.chain.mine(bench.paymentOf(order))
  bench.chain.mineEmpty(2)
  await bench.watcher.poll()
  expect((await bench.row(order.id)).status).toBe('completed')
  expect(await bench.balances(ANN)).toEqual({ available: 600n, locked: 0n })
})

test('signs nothing for an account that was frozen after its order', async () => {
  const order = await bench.lock(ANN, 400n)
  await bench.db.query(`insert into frozen_accounts (id, frozen_at, ends_at, reason) values ($1, $2, $3, 'a test')`, [
    ANN,
    START,
    new Date(START.getTime() + 60_000),
  ])
  await resume()
  expect(await bench.row(order.id)).toMatchObject({ status: 'locked', signature: null })
  expect(await bench.db.query('select units from signed_vouchers')).toEqual([])
  bench.moveClock(60_000)
  await resume()
  expect((await bench.row(order.id)).status).toBe('signed')
})

test('concurrent settlement of an order signs it once', async () => {
  const order = await bench.lock(ANN, 400n)
  await Promise.all(Array.from({ length: 8 }, () => settleWithdrawal(deps(), order)))
  expect((await bench.row(order.id)).signature).toMatch(/^0x[0-9a-f]{130}$/)
  expect(await bench.db.query('select units from signed_vouchers')).toEqual([{ units: 400n }])
})

test('an order over the daily cap returns its amount unsigned', async () => {
  await bench.fund(BEN, 20_000n)
  for (let signed = 0; signed < 10; signed++) await settleWithdrawal(deps(), await bench.lock(BEN, 1_000n))
  const order = await bench.lock(ANN, 1n)
  await settleWithdrawal(deps(), order)
  expect(await bench.row(order.id)).toMatchObject({ status: 'refused', refused_reason: 'over_day_cap' })
  expect(await bench.balances(ANN)).toEqual({ available: 1_000n, locked: 0n })
  bench.advance(24 * TTL_MS)
  await settleWithdrawal(deps(), { ...order, status: 'locked' })
  expect(await bench.row(order.id)).toMatchObject({ status: 'refused', signature: null })
  expect(await bench.entriesOf('withdrawal_release')).toEqual([order.id])
})

test('an abandoned order expires after its deadline without being signed', async () => {
  const order = await bench.lock(ANN, 400n)
  bench.advance(TTL_MS)
  await resume()
  expect(await bench.row(order.id)).toMatchObject({ status: 'refused', refused_reason: 'deadline_passed' })
  expect(await bench.balances(ANN)).toEqual({ available: 1_000n, locked: 0n })
})

test('keeps the order locked while the chain is unreadable', async () => {
  const order = await bench.lock(ANN, 400n)
  bench.chain.beforeResponse = () => {
    throw new Error('connection refused')
  }
  await expect(settleWithdrawal(deps(), order)).rejects.toThrow(NotReady)
  await resume()
  expect((await bench.row(order.id)).status).toBe('locked')
  expect(bench.alarms).toContain(`withdrawal ${order.id}: NotReady: the chain cannot be read, so nothing is signed`)
  bench.chain.beforeResponse = undefined
  await resume()
  expect((await bench.row(order.id)).status).toBe('signed')
})

test('a server without the lease signs nothing', async () => {
  const order = await bench.lock(ANN, 400n)
  await bench.writer.close()
  await expect(settleWithdrawal(deps(), order)).rejects.toThrow(NotReady)
  expect(await bench.db.query('select 1 from signed_vouchers')).toEqual([])
})

const context = () => ({
  user: { id: ANN, parentId: null, tokenHash: '' },
  locale: 'en' as const,
  idempotencyKey: undefined as string | undefined,
  clientAddress: '::1',
})
const handlers = (signer = bench.signer) =>
  withdrawalHandlers({
    ...deps({ signer }),
    custody: { vault: `0x${'c'.repeat(40)}`, vaultBlock: 0n, operator: BEN, tokens: [] },
    clock: { now: () => START },
    limits: { BNB: fixedRule({ minOut: 1n, maxOut: 1_000n }) },
    voucherTtlMs: TTL_MS,
    required: 3,
    unconfirmedOf: bench.watcher.unconfirmedOf,
  })
const sell = (idempotencyKey: string, amount = '0.0000000000000004') =>
  handlers().sell({ asset: 'BNB', amount }, { ...context(), idempotencyKey })
const firstOf = async (signer = bench.signer) => (await handlers(signer).sellOrders({}, context())).items[0]

describe('a locked order', () => {
  test('a locked order is signed when it is listed', async () => {
    const order = await bench.lock(ANN, 400n)
    expect(await firstOf()).toMatchObject({ order_id: order.id, status: 'signed', signature: expect.any(String) })
    expect((await bench.row(order.id)).status).toBe('signed')
  })

  test('a list of locked orders reads the vault once before signing', async () => {
    for (let each = 0; each < 5; each++) await bench.lock(ANN, 100n)
    await bench.signer.acceptedSigner()
    const before = bench.chain.askedCount.vaultState
    const { items } = await handlers().sellOrders({}, context())
    expect(items.map(({ status }) => status)).toEqual(Array(5).fill('signed'))
    expect(bench.chain.askedCount.vaultState - before).toBe(1)
  })

  test('a locked order is signed under its key after the cap', async () => {
    const order = await bench.lock(ANN, 400n, 'the key')
    await settleWithdrawal(killed('after signing'), order).catch(() => {})
    await bench.fund(BEN, 20_000n)
    for (let signed = 0; signed < 9; signed++) await settleWithdrawal(deps(), await bench.lock(BEN, 1_000n))
    await expect(sell('another', '0.000000000000000601')).rejects.toMatchObject({
      refusal: 'amount_out_of_range',
      data: { max: '0.0000000000000006' },
    })
    expect(await sell('the key')).toMatchObject({ order_id: order.id, status: 'signed' })
    expect(await bench.balances(ANN)).toEqual({ available: 600n, locked: 400n })
  })

  test('a locked order stays locked while the chain cannot be read', async () => {
    const order = await bench.lock(ANN, 400n, 'the key')
    bench.chain.beforeResponse = () => {
      throw new Error('connection refused')
    }
    expect(await firstOf()).toMatchObject({ order_id: order.id, status: 'locked', voucher: null, calldata: null })
    await expect(sell('the key')).rejects.toThrow(NotReady)
    await expect(sell('another')).rejects.toThrow(NotReady)
    expect(await bench.balances(ANN)).toEqual({ available: 600n, locked: 400n })
    bench.chain.beforeResponse = undefined
    expect(await sell('the key')).toMatchObject({ order_id: order.id, status: 'signed' })
  })

  test("a refused order returns its amount with the signer's reason", async () => {
    const order = await bench.lock(ANN, 400n, 'the key')
    bench.chain.setVaultState({ isPaused: true })
    const expected = { refusal: 'trading_suspended', data: { reason: 'withdrawals_paused' } }
    await expect(sell('the key')).rejects.toMatchObject(expected)
    expect(await bench.balances(ANN)).toEqual({ available: 1_000n, locked: 0n })
    bench.chain.setVaultState({ isPaused: false })
    await expect(sell('the key')).rejects.toMatchObject(expected)
    expect(await firstOf()).toMatchObject({ order_id: order.id, status: 'expired', voucher: null })
  })

  test('a locked order returns its amount after its deadline as expired', async () => {
    const order = await bench.lock(ANN, 400n, 'the key')
    bench.advance(TTL_MS)
    expect(await sell('the key')).toMatchObject({ order_id: order.id, status: 'expired', voucher: null })
    expect(await bench.balances(ANN)).toEqual({ available: 1_000n, locked: 0n })
  })

  test('a paid order shows as submitted without a stored signature', async () => {
    const order = await bench.lock(ANN, 400n)
    await settleWithdrawal(killed('after signing'), order).catch(() => {})
    bench.chain.setVaultState({ isPaused: true })
    const payment = bench.paymentOf(order)
    bench.chain.mine(payment)
    await bench.watcher.poll()
    expect(await firstOf()).toMatchObject({ status: 'submitted', tx_hash: payment.txHash, confirmations: 1 })
  })
})

describe('after the vault appointed another signer', () => {
  const OTHER_KEY = `0x${'6'.repeat(64)}` as const
  const DOMAIN = withdrawalDomain({ chainId: 31337, vault: `0x${'c'.repeat(40)}` })
  const signerOf = async (voucher: WithdrawalVoucher, signature: string | null | undefined) => {
    const typed = { domain: DOMAIN, types: withdrawalTypes, primaryType: 'Withdrawal', message: voucher } as const
    return (await recoverTypedDataAddress({ ...typed, signature: signature as `0x${string}` })).toLowerCase()
  }
  /** Some seconds later the servers have noticed. */
  function appoint(signer: Signer): void {
    bench.chain.setVaultState({ signer: signer.address })
    bench.advance(10_000)
  }

  test('signs an open voucher again with the same content, counted once', async () => {
    const other = bench.newSigner(OTHER_KEY)
    await settleWithdrawal(deps(), await bench.lock(ANN, 400n, 'the key'))
    const before = await firstOf()
    appoint(other)
    // The server with the old key gives out no signature that the vault rejects.
    expect(await firstOf()).toEqual({
      ...before,
      status: 'locked',
      signed: false,
      voucher: null,
      signature: null,
      calldata: null,
    })
    expect(await sell('the key')).toMatchObject({ status: 'locked', signature: null })
    const after = await firstOf(other)
    expect(after).toEqual({ ...before, signature: after?.signature, calldata: after?.calldata })
    const row = await bench.row(before?.order_id ?? '')
    const voucher = voucherOf({ tokens: [] }, row)
    expect(await signerOf(voucher, before?.signature)).toBe(bench.signer.address)
    expect(await signerOf(voucher, after?.signature)).toBe(other.address)
    expect(await bench.db.query('select units from signed_vouchers')).toEqual([{ units: 400n }])
    expect(await bench.balances(ANN)).toEqual({ available: 600n, locked: 400n })
  })

  test('a nonce is never signed again for another amount or account', async () => {
    const other = bench.newSigner(OTHER_KEY)
    const order = await bench.lock(ANN, 400n)
    await settleWithdrawal(deps(), order)
    appoint(other)
    const voucher = voucherOf({ tokens: [] }, order)
    for (const change of [{ amount: 401n }, { account: BEN as `0x${string}` }, { deadline: voucher.deadline + 1n }]) {
      const outcome = await other.sign({ ...voucher, ...change })
      expect(outcome).toEqual({ status: 'withheld', reason: 'nonce_of_another_voucher' })
    }
  })

  test('signs without anyone asking, once the vault accepts the new signer', async () => {
    const other = bench.newSigner(OTHER_KEY)
    const order = await bench.lock(ANN, 400n)
    await settleWithdrawal(deps(), order)
    const again = () => signAgain(deps({ signer: other }), START, (error) => expect.unreachable(String(error)))
    await again()
    expect(await bench.row(order.id)).toMatchObject({ status: 'signed', signed_by: bench.signer.address })
    appoint(other)
    await again()
    await again()
    const signed = await bench.row(order.id)
    expect(signed).toMatchObject({ status: 'signed', signed_by: other.address })
    bench.chain.mine(bench.paymentOf(signed))
    bench.chain.mineEmpty(2)
    await bench.watcher.poll()
    expect((await bench.row(order.id)).status).toBe('completed')
  })

  test('leaves an expired voucher as it is', async () => {
    const other = bench.newSigner(OTHER_KEY)
    const order = await bench.lock(ANN, 400n)
    await settleWithdrawal(deps(), order)
    appoint(other)
    await signAgain(deps({ signer: other }), order.deadline, () => expect.unreachable())
    expect(await bench.row(order.id)).toMatchObject({ signed_by: bench.signer.address })
  })
})

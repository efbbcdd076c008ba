import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { nativeAsset, rootVoucherDomain, rootVoucherTypes } from '@clearwell/vault/abi/withdrawal-typed-data'
import { recoverTypedDataAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSigner, type Signer } from '../../platform/signer/signer.ts'
import { headerWith, ROOT_KEYS, signRoot } from '../../platform/signer/testing/signed-root.ts'
import type { LockProof } from '../../platform/signer/voucher-root.ts'
import { cancelWithdrawal } from './cancel-withdrawal.ts'
import { type SettleDependencies, settleWithdrawal } from './settle-withdrawal.ts'
import { ANN, BEN, openWithdrawalBench, type WithdrawalBench } from './testing/withdrawal.ts'
import { voucherOf } from './voucher.ts'

const ACCOUNT = privateKeyToAccount(`0x${'5'.repeat(64)}`)
const OF = { chainId: 31337, vault: `0x${'c'.repeat(40)}` } as const

let bench: WithdrawalBench
let signer: Signer
let lock: LockProof | undefined
beforeEach(async () => {
  bench = await openWithdrawalBench()
  await bench.fund(ANN, 1_000n)
  const { db, clock, chain } = bench
  const caps = { perVoucher: 1_000n, perAccountPerDay: 10_000n, perDay: 10_000n, unit: 1n }
  signer = createSigner({
    ...{ db, clock, chain, ...OF, account: ACCOUNT, rootKeys: ROOT_KEYS },
    assets: [{ asset: 'BNB', token: nativeAsset, ...caps }],
    checkSolvency: async () => ({ ok: true }),
    onError: () => {},
  })
  lock = undefined
})
afterEach(async () => {
  await expectBooksBalanced(bench.db)
  await bench.close()
})

const deps = (): SettleDependencies => ({
  ...{ store: bench.store, writer: bench.writer, clock: bench.clock, signer, custody: { tokens: [] } },
  findLock: async () => lock,
})
const cancel = (orderId: string, userId = ANN) => cancelWithdrawal(deps(), { userId, orderId })
const holding = async (locked: bigint, ledgerSeq = 50n): Promise<LockProof> => ({
  root: await signRoot(headerWith({ number: 9n, ledgerSeq, locked }), OF),
  entry: 50n,
})

test('an order waits until a root holds its lock', async () => {
  const order = await bench.lock(ANN, 400n)
  await settleWithdrawal(deps(), order)
  lock = await holding(400n, 49n)
  await settleWithdrawal(deps(), order)
  expect(await bench.row(order.id)).toMatchObject({ status: 'locked', signature: null, root: null })
  expect(await bench.db.query('select 1 from signed_vouchers')).toEqual([])

  lock = await holding(400n)
  await settleWithdrawal(deps(), order)
  const signed = await bench.row(order.id)
  expect(signed).toMatchObject({ status: 'signed', root: 9n })
  const typed = { domain: rootVoucherDomain(OF), types: rootVoucherTypes, primaryType: 'Withdrawal' } as const
  const message = { ...voucherOf({ tokens: [] }, signed), root: 9n }
  const signature = signed.signature as `0x${string}`
  expect(await recoverTypedDataAddress({ ...typed, message, signature })).toBe(ACCOUNT.address)
})

test('cancelling a waiting order returns its amount for good', async () => {
  const order = await bench.lock(ANN, 400n)
  await cancel(order.id)
  await cancel(order.id)
  expect(await bench.row(order.id)).toMatchObject({ status: 'refused', refused_reason: 'cancelled' })
  expect(await bench.balances(ANN)).toEqual({ available: 1_000n, locked: 0n })
  lock = await holding(400n)
  const { root, ...rest } = order
  expect(await signer.sign({ ...voucherOf({ tokens: [] }, { ...rest, root: 9n }) }, undefined, lock)).toEqual({
    status: 'refused',
    reason: 'cancelled',
  })
})

test('a crash between decision and release ends as cancelled', async () => {
  const order = await bench.lock(ANN, 400n)
  await signer.cancel(voucherOf({ tokens: [] }, order))
  lock = await holding(400n)
  await settleWithdrawal(deps(), order)
  expect(await bench.row(order.id)).toMatchObject({ status: 'refused', refused_reason: 'cancelled' })
  expect(await bench.balances(ANN)).toEqual({ available: 1_000n, locked: 0n })
})

test('an order with a signature cannot be cancelled', async () => {
  const order = await bench.lock(ANN, 400n)
  lock = await holding(400n)
  // The server dies before it records the signature.
  await signer.sign({ ...voucherOf({ tokens: [] }, order), root: 9n }, undefined, lock)
  await expect(cancel(order.id)).rejects.toMatchObject({ data: { reason: 'voucher_signed' } })
  expect(await bench.balances(ANN)).toEqual({ available: 600n, locked: 400n })
  await settleWithdrawal(deps(), order)
  await expect(cancel(order.id)).rejects.toMatchObject({ data: { reason: 'voucher_signed' } })
})

test('an order of another user is not found', async () => {
  const order = await bench.lock(ANN, 400n)
  await expect(cancel(order.id, BEN)).rejects.toMatchObject({ name: 'Refusal', refusal: 'not_found' })
  expect((await bench.row(order.id)).status).toBe('locked')
})

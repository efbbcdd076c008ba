import { emptyHeader } from '@clearwell/proofs/empty-header'
import { encodeHeader } from '@clearwell/proofs/header'
import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { nativeAsset } from '@clearwell/vault/abi/withdrawal-typed-data'
import { decodeFunctionData, getAddress } from 'viem'
import { expect, test } from 'vitest'
import {
  hasExits,
  isOfReplacedVault,
  tokenOf,
  transferAssets,
  voucherOf,
  withdrawCall,
  withdrawWithRootCall,
} from './voucher.ts'

const USDT = { asset: 'USDT', address: `0x${'11'.repeat(20)}`, decimals: 6 } as const
const custody = { tokens: [USDT] }
const ANN = `0x${'ab'.repeat(20)}`
const order = { user_id: ANN, asset: 'BNB', amount: 5n * 10n ** 18n, nonce: 7n, root: null } as const
const deadline = new Date('2026-11-22T00:00:00Z')
const SIGNATURE = `0x${'5'.repeat(130)}` as const

test('a voucher names the token, and the zero address for BNB', () => {
  expect(tokenOf(custody, 'BNB')).toBe(nativeAsset)
  expect(tokenOf(custody, 'USDT')).toBe(USDT.address)
})

test('BNB is never paid in place of an asset without a token', () => {
  expect(() => tokenOf(custody, 'ETH')).toThrow('ETH has no token on this chain')
  expect(transferAssets(custody)).toEqual(['BNB', 'USDT'])
  expect(transferAssets({ tokens: [{ ...USDT, asset: 'ETH' }, USDT] })).toEqual(['BNB', 'USDT', 'ETH'])
})

test('a voucher pays in units of its token, until a second', () => {
  const voucher = { account: getAddress(ANN), nonce: 7n, deadline: 1_795_305_600n }
  expect(voucherOf(custody, { ...order, deadline })).toEqual({
    ...voucher,
    asset: nativeAsset,
    amount: 5_000_000_000_000_000_000n,
  })
  expect(voucherOf(custody, { ...order, asset: 'USDT', deadline, root: 0n })).toEqual({
    ...voucher,
    asset: USDT.address,
    amount: 5_000_000n,
    root: 0n,
  })
})

test('an order before a move is of the replaced vault', () => {
  const isReplaced = (at: string, movedAt?: Date) =>
    isOfReplacedVault(movedAt ? { movedAt } : {}, { created_at: new Date(at) })
  expect(isReplaced('2026-11-22T00:00:00Z', deadline)).toBe(true)
  expect(isReplaced('2026-11-22T00:00:00.001Z', deadline)).toBe(false)
  expect(isReplaced('2026-11-22T00:00:00Z')).toBe(false)
})

test('only a vault of the kind with exits has them', () => {
  expect([{ kind: 'exits' } as const, { kind: 'plain' } as const, {}].map(hasExits)).toEqual([true, false, false])
})

test('the call of each vault carries the voucher and its signatures', () => {
  const voucher = voucherOf(custody, { ...order, deadline })
  const plain = decodeFunctionData({ abi: clearwellVaultAbi, data: withdrawCall(voucher, SIGNATURE) })
  expect(plain).toEqual({ functionName: 'withdraw', args: [voucher, SIGNATURE] })
  const cursor = { number: 9n, hash: `0x${'9'.repeat(64)}`, time: 1_795_305_600 } as const
  const header = emptyHeader({ number: 3n, cursor, tokens: [nativeAsset] })
  const signed = { header, rootSignature: '0x01', bookSignature: '0x02' } as const
  const callOf = (root?: bigint) =>
    decodeFunctionData({
      abi: exitVaultAbi,
      data: withdrawWithRootCall(root === undefined ? voucher : { ...voucher, root }, SIGNATURE, signed),
    })
  const args = (root: bigint) => [encodeHeader(header), '0x01', '0x02', { ...voucher, root }, SIGNATURE]
  expect(callOf(9n)).toEqual({ functionName: 'withdrawWithRoot', args: args(9n) })
  expect(callOf()).toEqual({ functionName: 'withdrawWithRoot', args: args(0n) })
})

import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { encodeFunctionData } from 'viem'
import { expect, test } from 'vitest'
import { isDepositCall, type VaultPayment } from './pay-vault.ts'

const token = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
const orderId = `0x${'a1'.repeat(32)}` as const
const units = 10n ** 19n

function payment(args: readonly [`0x${string}`, bigint, `0x${string}`], change: Partial<VaultPayment> = {}) {
  const calldata = encodeFunctionData({ abi: clearwellVaultAbi, functionName: 'deposit', args })
  return { orderId, token, units, vault: token, calldata, value: 0n, ...change }
}

test("the vault's own deposit of exactly the amount for the order is sent", () => {
  expect(isDepositCall(payment([token, units, orderId]))).toBe(true)
  const native = { token: null, value: units }
  expect(isDepositCall(payment(['0x0000000000000000000000000000000000000000', units, orderId], native))).toBe(true)
})

test('any other call is not: another amount, token, order, coin sent along, or more behind it', () => {
  expect(isDepositCall(payment([token, units + 1n, orderId]))).toBe(false)
  expect(isDepositCall(payment(['0x0000000000000000000000000000000000000001', units, orderId]))).toBe(false)
  expect(isDepositCall(payment([token, units, `0x${'b2'.repeat(32)}`]))).toBe(false)
  expect(isDepositCall(payment([token, units, orderId], { value: 1n }))).toBe(false)
  const call = payment([token, units, orderId])
  expect(isDepositCall({ ...call, calldata: `${call.calldata}00` })).toBe(false)
})

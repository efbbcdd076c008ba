import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { encodeFunctionData, parseEther, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { chainUnits, depositCall, depositWithPermitCall, isSameCall } from './deposit-call.ts'

const vault = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const token = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
const orderId = `0x${'ab'.repeat(32)}` as const

test('a token is paid by the very call that viem makes of the contract, with no native coin', () => {
  const units = parseEther('100')
  const data = encodeFunctionData({ abi: clearwellVaultAbi, functionName: 'deposit', args: [token, units, orderId] })
  expect(depositCall({ vault, token, units, orderId })).toEqual({ to: vault, data, value: 0n })
})

test('the native coin is paid as asset zero, and the call carries exactly the amount', () => {
  const units = parseEther('0.5')
  const args = [zeroAddress, units, orderId] as const
  const data = encodeFunctionData({ abi: clearwellVaultAbi, functionName: 'deposit', args })
  expect(depositCall({ vault, token: null, units, orderId })).toEqual({ to: vault, data, value: units })
})

test('a call that pays another vault, another amount or another coin than the one confirmed is noticed', () => {
  const mine = depositCall({ vault, token, units: 5n, orderId })
  const served = { to: vault.toLowerCase(), calldata: mine.data, value: '0' }
  expect(isSameCall(mine, served)).toBe(true)
  expect(isSameCall(mine, { ...served, to: token })).toBe(false)
  expect(isSameCall(mine, { ...served, value: '1' })).toBe(false)
  const more = depositCall({ vault, token, units: 6n, orderId })
  expect(isSameCall(mine, { ...served, calldata: more.data })).toBe(false)
})

test('a call for another token or order, or with more behind it, is noticed', () => {
  const mine = depositCall({ vault, token, units: 5n, orderId })
  const served = { to: vault, calldata: mine.data, value: '0' }
  const others = [{ token: vault }, { token: null }, { orderId: `0x${'b2'.repeat(32)}` }]
  for (const other of others) {
    const { data } = depositCall({ vault, token, units: 5n, orderId, ...other })
    expect(isSameCall(mine, { ...served, calldata: data })).toBe(false)
  }
  expect(isSameCall(mine, { ...served, calldata: `${mine.data}00` })).toBe(false)
  expect(isSameCall(mine, { ...served, value: '' })).toBe(false)
})

test("an amount is counted in the token's own decimals", () => {
  expect(chainUnits('12.5', 18)).toBe(parseEther('12.5'))
  expect(chainUnits('12.5', 6)).toBe(12_500_000n)
  expect(chainUnits('12.1234567', 6)).toBe(12_123_456n)
})

test('with a permit it is the very call that viem makes of the contract', () => {
  const [units, deadline, v] = [parseEther('100'), 1_800_000_000n, 28]
  const [r, s] = [`0x${'0a'.repeat(32)}`, `0x${'b'.repeat(64)}`] as const
  const args = [token, units, orderId, deadline, v, r, s] as const
  const data = encodeFunctionData({ abi: clearwellVaultAbi, functionName: 'depositWithPermit', args })
  expect(depositWithPermitCall({ vault, token, units, orderId }, token, { deadline, v, r, s })).toEqual({
    to: vault,
    data,
    value: 0n,
  })
})

import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { type Address, encodeFunctionData, type Hex, parseEther, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { type ServedVoucher, type VaultWithdrawal, vaultCalls } from './vault-calls.ts'

const vault = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const token = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
const orderId = `0x${'ab'.repeat(32)}` as const

test('pays a token without the native coin', () => {
  const units = parseEther('100')
  const data = encodeFunctionData({ abi: clearwellVaultAbi, functionName: 'deposit', args: [token, units, orderId] })
  expect(vaultCalls.deposit({ vault, token, units, orderId })).toEqual({ to: vault, data, value: 0n })
})

test('pays the native coin as asset zero with exactly the amount', () => {
  const units = parseEther('0.5')
  const args = [zeroAddress, units, orderId] as const
  const data = encodeFunctionData({ abi: clearwellVaultAbi, functionName: 'deposit', args })
  expect(vaultCalls.deposit({ vault, token: null, units, orderId })).toEqual({ to: vault, data, value: units })
})

test('notices a call for another vault, amount or coin', () => {
  const mine = vaultCalls.deposit({ vault, token, units: 5n, orderId })
  const served = { to: vault.toLowerCase(), calldata: mine.data, value: '0' }
  expect(vaultCalls.isSameCall(mine, served)).toBe(true)
  expect(vaultCalls.isSameCall(mine, { ...served, to: token })).toBe(false)
  expect(vaultCalls.isSameCall(mine, { ...served, value: '1' })).toBe(false)
  const more = vaultCalls.deposit({ vault, token, units: 6n, orderId })
  expect(vaultCalls.isSameCall(mine, { ...served, calldata: more.data })).toBe(false)
})

test('notices a call for another token or order, or a longer call', () => {
  const mine = vaultCalls.deposit({ vault, token, units: 5n, orderId })
  const served = { to: vault, calldata: mine.data, value: '0' }
  const others = [{ token: vault }, { token: null }, { orderId: `0x${'b2'.repeat(32)}` }]
  for (const other of others) {
    const { data } = vaultCalls.deposit({ vault, token, units: 5n, orderId, ...other })
    expect(vaultCalls.isSameCall(mine, { ...served, calldata: data })).toBe(false)
  }
  expect(vaultCalls.isSameCall(mine, { ...served, calldata: `${mine.data}00` })).toBe(false)
  expect(vaultCalls.isSameCall(mine, { ...served, value: '' })).toBe(false)
})

test('pays a token with a permit in the same call', () => {
  const [units, deadline, v] = [parseEther('100'), 1_800_000_000n, 28]
  const [r, s] = [`0x${'0a'.repeat(32)}`, `0x${'b'.repeat(64)}`] as const
  const args = [token, units, orderId, deadline, v, r, s] as const
  const data = encodeFunctionData({ abi: clearwellVaultAbi, functionName: 'depositWithPermit', args })
  expect(vaultCalls.depositWithPermit({ vault, token, units, orderId }, token, { deadline, v, r, s })).toEqual({
    to: vault,
    data,
    value: 0n,
  })
})

const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const signature = `0x${'5a'.repeat(65)}` as const
const NOW = 1_800_000_000n

const confirmed: VaultWithdrawal = { account: account.toLowerCase(), vault, token, units: 100_500_000n }

function order(change: Partial<NonNullable<ServedVoucher['voucher']>> = {}, signed: Hex = signature) {
  const voucher = { account, asset: token, amount: '100500000', nonce: '7', deadline: `${NOW + 900n}`, ...change }
  const { asset, amount, nonce, deadline } = voucher
  const terms = {
    account: voucher.account as Address,
    asset: asset as Address,
    amount: BigInt(amount),
    nonce: BigInt(nonce),
    deadline: BigInt(deadline),
  }
  const calldata = encodeFunctionData({ abi: clearwellVaultAbi, functionName: 'withdraw', args: [terms, signed] })
  return { voucher, signature: signed, to: vault, calldata }
}

test('submits a voucher to the vault without the native coin', () => {
  const signed = order()
  expect(vaultCalls.withdraw(signed, confirmed, NOW)).toEqual({ to: vault, data: signed.calldata, value: 0n })
})

test('submits a voucher for the native coin and keeps a longer signature', () => {
  const signed = order({ asset: zeroAddress }, `0x${'ab'.repeat(64)}`)
  expect(vaultCalls.withdraw(signed, { ...confirmed, token: null }, NOW)).toMatchObject({ data: signed.calldata })
})

test.each([
  ['another account', order({ account: vault }), 'account'],
  ['another asset', order({ asset: zeroAddress }), 'asset'],
  ['one unit less', order({ amount: '100499999' }), 'amount'],
  ['one unit more', order({ amount: '100500001' }), 'amount'],
  ['another contract', { ...order(), to: token }, 'vault'],
  ['a deadline that the chain has passed', order({ deadline: `${NOW - 1n}` }), 'deadline'],
  ['a call for another voucher', { ...order(), calldata: order({ nonce: '8' }).calldata }, 'call'],
  ['a call with another signature', { ...order(), signature: `0x${'00'.repeat(65)}` }, 'call'],
  ['a call with something behind it', { ...order(), calldata: `${order().calldata}00` }, 'call'],
  ['a call that approves instead', { ...order(), calldata: '0x095ea7b3' }, 'call'],
  ['a signature that is no hex', { ...order(), signature: 'yes' }, 'call'],
  ['no voucher yet', { ...order(), voucher: null }, 'unsigned'],
  ['no signature yet', { ...order(), signature: null }, 'unsigned'],
] as const)('rejects a voucher with %s', (_name, acknowledged, fault) => {
  expect(vaultCalls.withdraw(acknowledged, confirmed, NOW)).toBe(fault)
})

test('submits a voucher in the last second of its deadline', () => {
  expect(vaultCalls.withdraw(order({ deadline: `${NOW}` }), confirmed, NOW)).toMatchObject({ to: vault })
})

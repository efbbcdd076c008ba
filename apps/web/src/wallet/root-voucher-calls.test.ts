import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { encodeFunctionData, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { type ServedVoucher, type VaultWithdrawal, vaultCalls, withdrawWithRootAbi } from './vault-calls.ts'

const vault = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
const signature: Hex = `0x${'5a'.repeat(65)}`
const NOW = 1_800_000_000n

const stated = { account, asset: token, amount: 50n, nonce: 7n, deadline: NOW + 900n, root: 9n } as const
const confirmed: VaultWithdrawal = { account: account.toLowerCase(), vault, token, units: 50n }

/** An order with a voucher, and a call of a voucher that may differ. */
function order(change: Partial<{ [Field in keyof typeof stated]: unknown }> = {}, root = '9'): ServedVoucher {
  const args = ['0x1234', '0x56', '0x78', { ...stated, ...change }, signature] as const
  const calldata = encodeFunctionData({ abi: exitVaultAbi, functionName: 'withdrawWithRoot', args: args as never })
  const voucher = { account, asset: token, amount: '50', nonce: '7', deadline: `${NOW + 900n}`, root }
  return { voucher, signature, to: vault, calldata }
}

test('the call of the vault with exits is that of the contract', () => {
  const { inputs } = exitVaultAbi.find((item) => item.type === 'function' && item.name === 'withdrawWithRoot') as never
  expect(withdrawWithRootAbi[0].inputs).toEqual(inputs)
})

test('submits a voucher with the root that the server gives', () => {
  const served = order()
  expect(vaultCalls.withdraw(served, confirmed, NOW)).toEqual({ to: vault, data: served.calldata, value: 0n })
})

test.each([
  ['another amount', { amount: 51n }],
  ['another account', { account: token }],
  ['another nonce', { nonce: 8n }],
  ['another root', { root: 8n }],
])('rejects a call that pays %s', (_name, change) => {
  expect(vaultCalls.withdraw(order(change), confirmed, NOW)).toBe('call')
})

test('rejects another function, a longer call and a malformed root', () => {
  const served = order()
  const refused = [
    { ...served, calldata: `${served.calldata}00` },
    { ...served, calldata: `0x12345678${served.calldata?.slice(10)}` },
    { ...served, calldata: '0x' },
    order({}, 'nine'),
  ]
  for (const each of refused) expect(vaultCalls.withdraw(each, confirmed, NOW)).toBe('call')
})

test('a voucher for less than the confirmed amount is rejected', () => {
  expect(vaultCalls.withdraw(order(), { ...confirmed, units: 51n }, NOW)).toBe('amount')
})

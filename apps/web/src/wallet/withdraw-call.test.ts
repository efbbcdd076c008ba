import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { type Address, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { type Voucher, type Withdrawal, withdrawCall } from './withdraw-call.ts'

const vault = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const token = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const signature = `0x${'5a'.repeat(65)}` as const
const NOW = 1_800_000_000n

const confirmed: Withdrawal = { account: account.toLowerCase(), vault, token, units: 100_500_000n }

function order(change: Partial<Voucher> = {}, signed: Hex = signature) {
  const voucher = { account, asset: token, amount: '100500000', nonce: '7', deadline: `${NOW + 900n}`, ...change }
  const { asset, amount, nonce, deadline } = voucher
  const said = {
    account: voucher.account as Address,
    asset: asset as Address,
    amount: BigInt(amount),
    nonce: BigInt(nonce),
    deadline: BigInt(deadline),
  }
  const calldata = encodeFunctionData({ abi: clearwellVaultAbi, functionName: 'withdraw', args: [said, signed] })
  return { voucher, signature: signed, to: vault, calldata }
}

test('the call is the very one that viem makes of the contract, to the vault, with no native coin', () => {
  const signed = order()
  expect(withdrawCall(signed, confirmed, NOW)).toEqual({ to: vault, data: signed.calldata, value: 0n })
})

test('the native coin is asset zero, and a signature of another length is carried whole', () => {
  const signed = order({ asset: zeroAddress }, `0x${'ab'.repeat(64)}`)
  expect(withdrawCall(signed, { ...confirmed, token: null }, NOW)).toMatchObject({ data: signed.calldata })
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
] as const)('the wallet is asked for nothing where the service answers with %s', (_name, answered, fault) => {
  expect(withdrawCall(answered, confirmed, NOW)).toBe(fault)
})

test('the last second of the deadline still pays', () => {
  expect(withdrawCall(order({ deadline: `${NOW}` }), confirmed, NOW)).toMatchObject({ to: vault })
})

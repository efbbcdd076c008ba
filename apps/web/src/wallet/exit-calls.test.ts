import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { vaultKeysAbi } from '@clearwell/vault/abi/vault-keys'
import { type Abi, decodeFunctionData, toFunctionSelector, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { askForExit, exitAbi, finishExit } from './exit-calls.ts'
import { REVERTS } from './vault-revert.ts'

const vault = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const SALT = `0x${'5a'.repeat(32)}`

test('the functions for exits are those of the contract', () => {
  for (const own of exitAbi)
    expect(exitVaultAbi.find((item) => item.type === 'function' && item.name === own.name)).toEqual(own)
})

test('asks with no argument and no money', () => {
  expect(askForExit(vault, 'requestExit')).toEqual({ to: vault, data: toFunctionSelector('requestExit()'), value: 0n })
})

test('encodes the claim that the server gives', () => {
  const header = { header: '0x1234', posted_at: 1_800_000_000, seq: 3 }
  const claim = {
    ...{ asset: 'USDT' as const, amount: '5', token: `0x${'AB'.repeat(20)}`, index: 1, place: 9 },
    leaf: { salt: SALT, free: '50', deposited_seen: '40', paid_seen: '3' },
    path: [{ hash: zeroHash, sum: '7' }],
  }
  const next = { header_hash: SALT, posted_at: 1_800_000_100, seq: 5 }
  const { data, value } = finishExit(vault, { claims: { roots: [header], next }, claim, to })
  const { args } = decodeFunctionData({ abi: exitVaultAbi, data: data as `0x${string}` })
  const none = { headerHash: zeroHash, postedAt: 0, seq: 0 }
  expect([value, args]).toEqual([
    0n,
    [
      {
        base: [{ header: '0x1234', postedAt: 1_800_000_000, seq: 3 }],
        next: { headerHash: SALT, postedAt: 1_800_000_100, seq: 5 },
        ...{ unfrozen: [], unfrozenNext: none },
      },
      {
        asset: expect.stringMatching(/^0xabab/i),
        index: 1,
        leaf: { salt: SALT, free: 50n, depositedSeen: 40n, paidSeen: 3n },
        ...{ place: 9n, path: [{ hash: zeroHash, sum: 7n }] },
      },
      to,
    ],
  ])
})

test('each named error is one of a contract', () => {
  const errors = ([...clearwellVaultAbi, ...exitVaultAbi, ...vaultKeysAbi] as Abi).flatMap((item) =>
    item.type === 'error' ? [`${item.name}(${item.inputs.map(({ type }) => type).join()})`] : [],
  )
  expect(
    Object.values(REVERTS)
      .flat()
      .filter((form) => !errors.includes(form)),
  ).toEqual([])
})

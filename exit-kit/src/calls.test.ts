import { claimsAbi } from '@clearwell/vault/abi/claims'
import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { decodeFunctionData, type Hex, size, zeroAddress, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import {
  addressOf,
  cancelExit,
  claimAfterEnd,
  completeEnd,
  finishExit,
  noteShort,
  requestExit,
  startEnd,
} from './calls.ts'
import { checkPaths } from './check-paths.ts'
import { NO_ROOT } from './posted-roots.ts'
import { ALICE, CHAIN_ID, postedOf, START, sampleHeader, USDT, VAULT } from './testing/sample-headers.ts'

const sample = await sampleHeader(1, { BNB: 5n, USDT: 40n })
const { leaves } = await checkPaths(sample.mine, sample.signed, { chainId: CHAIN_ID, vault: VAULT, account: ALICE })
const root = postedOf(sample, { postedAt: START + 100, seq: 7 })
const decode = (data: Hex) => decodeFunctionData({ abi: exitVaultAbi, data })

test('writes the payment of an asset as the vault reads it', () => {
  const leaf = leaves[1]
  if (!leaf) throw new Error('the sample has two assets')
  const base = { root, next: { headerHash: sample.signed.hash, postedAt: START + 900, seq: 8 } }
  const call = finishExit({ base, earlier: undefined, unfrozen: undefined, leaf, to: ALICE })
  const { functionName, args = [] } = decode(call.data)
  expect(functionName).toBe('finishExit')
  const [proof, claim, to] = args as unknown as [{ base: [{ header: Hex }] }, object, Hex]
  expect(proof).toMatchObject({
    base: [{ postedAt: START + 100, seq: 7 }],
    next: { headerHash: sample.signed.hash, postedAt: START + 900, seq: 8 },
    unfrozen: [],
    unfrozenNext: { headerHash: zeroHash, seq: 0 },
  })
  // 16 words, and 11 for each of two assets.
  expect(size(proof.base[0].header)).toBe(38 * 32)
  expect(claim).toMatchObject({ asset: USDT, index: 1, place: 703_710n })
  expect(claim).toMatchObject({ leaf: { free: 40n, depositedSeen: 40n, paidSeen: 0n } })
  expect(to.toLowerCase()).toBe(ALICE)
})

test('passes the root of an earlier exit second', () => {
  const leaf = leaves[0]
  if (!leaf) throw new Error('the sample has two assets')
  const earlier = { ...root, seq: 3 }
  const base = { root, next: NO_ROOT }
  const unfrozen = { root: { ...root, seq: 5 }, next: root }
  const { args = [] } = decode(finishExit({ base, earlier, unfrozen, leaf, to: ALICE }).data)
  expect(args[0]).toMatchObject({ base: [{ seq: 7 }, { seq: 3 }], unfrozen: [{ seq: 5 }], unfrozenNext: { seq: 7 } })
  expect(args[1]).toMatchObject({ asset: zeroAddress, index: 0 })
})

test('writes a claim with and without a leaf', () => {
  const [, leaf] = leaves
  if (!leaf) throw new Error('the sample has two assets')
  const earlier = { ...root, seq: 3 }
  const call = claimAfterEnd({ claims: USDT, root, earlier, leaf, to: ALICE })
  expect(call.to).toBe(USDT)
  const { functionName, args } = decodeFunctionData({ abi: claimsAbi, data: call.data })
  expect(functionName).toBe('claimAfterEnd')
  expect(args).toMatchObject([[{ seq: 7 }, { seq: 3 }], { asset: USDT, index: 1, leaf: { free: 40n } }, {}])
  const without = claimAfterEnd({ claims: USDT, root, earlier: undefined, leaf: { token: USDT }, to: ALICE })
  const decoded = decodeFunctionData({ abi: claimsAbi, data: without.data })
  expect(decoded.args).toMatchObject([[{ seq: 7 }], { asset: USDT, leaf: { free: 0n }, path: [] }, {}])
  expect(addressOf(call, { chainId: CHAIN_ID, vault: VAULT })).toBeUndefined()
})

test('gives wallets an address for the calls that end the vault', () => {
  const of = { chainId: CHAIN_ID, vault: VAULT }
  expect(decode(startEnd(USDT).data)).toMatchObject({ functionName: 'startEnd' })
  expect(addressOf(startEnd(USDT), of)).toBe(`ethereum:${VAULT}@31337/startEnd?address=${USDT}`)
  expect(decode(noteShort(USDT).data)).toMatchObject({ functionName: 'noteShort' })
  expect(addressOf(noteShort(USDT), of)).toBe(`ethereum:${VAULT}@31337/noteShort?address=${USDT}`)
  expect(decode(completeEnd().data).functionName).toBe('end')
  expect(addressOf(completeEnd(), of)).toBe(`ethereum:${VAULT}@31337/end`)
})

test('gives wallets an address for calls without arguments', () => {
  const of = { chainId: CHAIN_ID, vault: VAULT }
  expect(decode(requestExit().data).functionName).toBe('requestExit')
  expect(decode(cancelExit().data).functionName).toBe('cancelExit')
  expect(addressOf(requestExit(), of)).toBe(`ethereum:${VAULT}@31337/requestExit`)
  expect(addressOf({ name: 'finishExit', data: '0x' }, of)).toBeUndefined()
})

import type { ResponseOf } from '@clearwell/api/routes'
import { type Address, encodeFunctionData, type Hex, zeroHash } from 'viem'
import type { ChainCall } from './sent-transaction.ts'

/** The server's arguments of `finishExit` for one asset. The vault checks each part, and pays the caller's balance and no other. */
export interface FinishArguments {
  readonly claims: Pick<ResponseOf<'proofClaims'>, 'roots' | 'next'>
  readonly claim: ResponseOf<'proofClaims'>['claims'][number]
  /** Receives the money. */
  readonly to: string
}

const REF = [
  { name: 'headerHash', type: 'bytes32' },
  { name: 'postedAt', type: 'uint40' },
  { name: 'seq', type: 'uint40' },
] as const
const HEADER = [
  { name: 'header', type: 'bytes' },
  { name: 'postedAt', type: 'uint40' },
  { name: 'seq', type: 'uint40' },
] as const

/** The functions of the vault for exits. Its whole interface would be loaded otherwise; a test compares the two. */
export const exitAbi = [
  { type: 'function', name: 'requestExit', inputs: [], outputs: [], stateMutability: 'nonpayable' },
  { type: 'function', name: 'cancelExit', inputs: [], outputs: [], stateMutability: 'nonpayable' },
  {
    type: 'function',
    name: 'finishExit',
    inputs: [
      {
        name: 'proof',
        type: 'tuple',
        components: [
          { name: 'base', type: 'tuple[]', components: HEADER },
          { name: 'next', type: 'tuple', components: REF },
          { name: 'unfrozen', type: 'tuple[]', components: HEADER },
          { name: 'unfrozenNext', type: 'tuple', components: REF },
        ],
      },
      {
        name: 'claim',
        type: 'tuple',
        components: [
          { name: 'asset', type: 'address' },
          { name: 'index', type: 'uint8' },
          {
            name: 'leaf',
            type: 'tuple',
            components: [
              { name: 'salt', type: 'bytes32' },
              { name: 'free', type: 'uint128' },
              { name: 'depositedSeen', type: 'uint128' },
              { name: 'paidSeen', type: 'uint128' },
            ],
          },
          { name: 'place', type: 'uint256' },
          {
            name: 'path',
            type: 'tuple[]',
            components: [
              { name: 'hash', type: 'bytes32' },
              { name: 'sum', type: 'uint128' },
            ],
          },
        ],
      },
      { name: 'to', type: 'address' },
    ],
    outputs: [],
    stateMutability: 'nonpayable',
  },
] as const

const NO_ROOT = { headerHash: zeroHash, postedAt: 0, seq: 0 }

/** The call that asks the vault for the caller's exit, or takes that back. */
export function askForExit(vault: string, functionName: 'requestExit' | 'cancelExit'): ChainCall {
  return { to: vault, data: encodeFunctionData({ abi: exitAbi, functionName }), value: 0n }
}

/** The call that pays one asset of the caller's exit. */
export function finishExit(vault: string, { claims: { roots, next }, claim, to }: FinishArguments): ChainCall {
  const { token, index, leaf, place, path } = claim
  const proof = {
    base: roots.map(({ header, posted_at, seq }) => ({ header: header as Hex, postedAt: posted_at, seq })),
    next: { headerHash: next.header_hash as Hex, postedAt: next.posted_at, seq: next.seq },
    unfrozen: [],
    unfrozenNext: NO_ROOT,
  }
  const proven = {
    asset: token.toLowerCase() as Address,
    index,
    leaf: {
      salt: leaf.salt as Hex,
      free: BigInt(leaf.free),
      depositedSeen: BigInt(leaf.deposited_seen),
      paidSeen: BigInt(leaf.paid_seen),
    },
    place: BigInt(place),
    path: path.map(({ hash, sum }) => ({ hash: hash as Hex, sum: BigInt(sum) })),
  }
  const args = [proof, proven, to.toLowerCase() as Address] as const
  return { to: vault, data: encodeFunctionData({ abi: exitAbi, functionName: 'finishExit', args }), value: 0n }
}

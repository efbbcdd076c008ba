import { encodeHeader, type Header } from '@clearwell/proofs/header'
import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { encodeFunctionData, type Hex } from 'viem'
import type { ProvenLeaf } from './check-paths.ts'
import type { HeaderFields } from './kit-data.ts'
import { NO_ROOT, type PostedRoot, type RootRef } from './posted-roots.ts'

/** One transaction of the account to the vault. None sends coins. */
export interface VaultCall {
  readonly name: 'requestExit' | 'cancelExit' | 'finishExit'
  readonly data: Hex
}

export function requestExit(): VaultCall {
  return { name: 'requestExit', data: encodeFunctionData({ abi: exitVaultAbi, functionName: 'requestExit' }) }
}

export function cancelExit(): VaultCall {
  return { name: 'cancelExit', data: encodeFunctionData({ abi: exitVaultAbi, functionName: 'cancelExit' }) }
}

/** A root with the one after it. */
export interface RootWithNext {
  readonly root: PostedRoot
  readonly next: RootRef
}

export interface Finish {
  readonly base: RootWithNext
  /** The root of the account's last exit, where `base` does not know that payment. */
  readonly earlier: PostedRoot | undefined
  /** While the newest root is frozen: the newest one that is not. */
  readonly unfrozen: RootWithNext | undefined
  readonly leaf: ProvenLeaf
  /** Receives the money. */
  readonly to: Hex
}

/** Builds the payment of one asset: {@link Finish.leaf} is one under `earlier` if that is given, else under `base`. */
export function finishExit({ base, earlier, unfrozen, leaf, to }: Finish): VaultCall {
  const proof = {
    base: [base.root, ...(earlier ? [earlier] : [])].map(postedHeaderOf),
    next: refOf(base.next),
    unfrozen: unfrozen ? [postedHeaderOf(unfrozen.root)] : [],
    unfrozenNext: refOf(unfrozen?.next ?? NO_ROOT),
  }
  const args = [proof, claimOf(leaf), to] as const
  return { name: 'finishExit', data: encodeFunctionData({ abi: exitVaultAbi, functionName: 'finishExit', args }) }
}

/**
 * The address that wallets read from a QR code (EIP-681). Only a call without arguments has one: no code can contain the path of a payment.
 */
export function addressOf(
  { name }: VaultCall,
  { chainId, vault }: { chainId: number; vault: Hex },
): string | undefined {
  return name === 'finishExit' ? undefined : `ethereum:${vault}@${chainId}/${name}`
}

const refOf = ({ headerHash, postedAt, seq }: RootRef) => ({ headerHash, postedAt, seq })

function postedHeaderOf({ signed, postedAt, seq }: PostedRoot) {
  return { header: encodeHeader(readHeader(signed.header)), postedAt, seq }
}

function claimOf({ leaf, token, index }: ProvenLeaf) {
  return {
    asset: token,
    index,
    leaf: {
      salt: leaf.salt as Hex,
      free: BigInt(leaf.free),
      depositedSeen: BigInt(leaf.deposited_seen),
      paidSeen: BigInt(leaf.paid_seen),
    },
    place: BigInt(leaf.index),
    path: leaf.path.map(({ hash, sum }) => ({ hash: hash as Hex, sum: BigInt(sum) })),
  }
}

/** Numbers of a header are decimal text in files. */
function readHeader(fields: HeaderFields): Header {
  return JSON.parse(JSON.stringify(fields), (_, value) =>
    typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : value,
  )
}

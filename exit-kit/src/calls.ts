import { encodeHeader, type Header } from '@clearwell/proofs/header'
import { claimsAbi } from '@clearwell/vault/abi/claims'
import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { encodeFunctionData, type Hex, zeroHash } from 'viem'
import type { ProvenLeaf } from './check-paths.ts'
import type { HeaderFields } from './kit-data.ts'
import { NO_ROOT, type PostedRoot, type RootRef } from './posted-roots.ts'

/** One transaction of the account to the vault or its claims. None sends coins. */
export interface VaultCall {
  readonly name: 'requestExit' | 'cancelExit' | 'finishExit' | 'noteShort' | 'startEnd' | 'end' | 'claimAfterEnd'
  readonly data: Hex
  /** The contract beside the vault that pays claims; absent: the vault. */
  readonly to?: Hex
  /** A single argument that is an address. */
  readonly address?: Hex
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

/** Notes since when the vault holds less of an asset than it owes. After 30 days of it, anyone can begin the end. */
export function noteShort(asset: Hex): VaultCall {
  const data = encodeFunctionData({ abi: exitVaultAbi, functionName: 'noteShort', args: [asset] })
  return { name: 'noteShort', data, address: asset }
}

/** Begins the end of the vault. @param asset the one that is short; any one where no root came for 30 days. */
export function startEnd(asset: Hex): VaultCall {
  const data = encodeFunctionData({ abi: exitVaultAbi, functionName: 'startEnd', args: [asset] })
  return { name: 'startEnd', data, address: asset }
}

export function completeEnd(): VaultCall {
  return { name: 'end', data: encodeFunctionData({ abi: exitVaultAbi, functionName: 'end' }) }
}

export interface AfterEnd {
  /** The contract that pays claims. */
  readonly claims: Hex
  readonly root: PostedRoot
  readonly earlier: PostedRoot | undefined
  /** The leaf under `earlier` if that is given, else under `root`; or the token, where the first deposit came after that root. */
  readonly leaf: ProvenLeaf | { readonly token: Hex; readonly leaf?: undefined }
  readonly to: Hex
}

/** Builds the claim of one asset after the end. */
export function claimAfterEnd({ claims, root, earlier, leaf, to }: AfterEnd): VaultCall {
  const roots = [root, ...(earlier ? [earlier] : [])].map(postedHeaderOf)
  const args = [roots, leaf.leaf ? claimOf(leaf) : claimWithoutLeaf(leaf.token), to] as const
  const data = encodeFunctionData({ abi: claimsAbi, functionName: 'claimAfterEnd', args })
  return { name: 'claimAfterEnd', data, to: claims }
}

/**
 * The address that wallets read from a QR code (EIP-681). A payment has none: no code can contain its path.
 */
export function addressOf(
  { name, address }: VaultCall,
  { chainId, vault }: { chainId: number; vault: Hex },
): string | undefined {
  if (name === 'finishExit' || name === 'claimAfterEnd') return undefined
  return `ethereum:${vault}@${chainId}/${name}${address ? `?address=${address}` : ''}`
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

function claimWithoutLeaf(asset: Hex) {
  const leaf = { salt: zeroHash, free: 0n, depositedSeen: 0n, paidSeen: 0n }
  return { asset, index: 0, leaf, place: 0n, path: [] }
}

/** Numbers of a header are decimal text in files. */
function readHeader(fields: HeaderFields): Header {
  return JSON.parse(JSON.stringify(fields), (_, value) =>
    typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : value,
  )
}

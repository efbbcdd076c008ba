import type { Hex } from '@clearwell/proofs/bytes'
import { type Header, hashHeader } from '@clearwell/proofs/header'
import type { RootVoucher } from '@clearwell/vault/abi/withdrawal-typed-data'
import { recoverAddress } from 'viem'

/** A header that both keys have signed. The vault with exits takes it as a root. */
export interface SignedRoot {
  readonly header: Header
  readonly rootSignature: Hex
  readonly bookSignature: Hex
}

/** Shows that a header holds the lock of a voucher's amount. */
export interface LockProof {
  readonly root: SignedRoot
  /** The number of the entry that locked the amount. */
  readonly entry: bigint
}

/** The accounts whose signatures a root needs, in lower case. */
export interface RootKeys {
  readonly rootKey: string
  /** One of them signs. */
  readonly bookkeepers: readonly string[]
}

/** Why a voucher is not signed under a root. Another root may do. */
export type RootFault =
  | 'no_root'
  | 'another_root'
  | 'lock_not_held'
  | 'not_signed_by_root_key'
  | 'not_signed_by_bookkeeper'

/**
 * Checks that a voucher names a root that holds the lock of its amount, and that both keys have signed this root. Everything is
 * computed from the header itself: neither the database's hash nor its numbers are believed.
 *
 * @returns what is wrong, or `undefined`.
 */
export async function findRootFault(
  voucher: RootVoucher,
  lock: LockProof | undefined,
  { chainId, vault, keys }: { readonly chainId: number; readonly vault: Hex; readonly keys: RootKeys },
): Promise<RootFault | undefined> {
  if (!lock) return 'no_root'
  const { root, entry } = lock
  const { header } = root
  if (header.number !== voucher.root) return 'another_root'
  const locked = header.assets.find(({ token }) => token.toLowerCase() === voucher.asset.toLowerCase())?.locked ?? 0n
  if (entry <= 0n || header.ledgerSeq < entry || locked < voucher.amount) return 'lock_not_held'
  const hash = hashHeader(header, { chainId, vault })
  if ((await signerOf(hash, root.rootSignature)) !== keys.rootKey) return 'not_signed_by_root_key'
  const book = await signerOf(hash, root.bookSignature)
  if (book === undefined || !keys.bookkeepers.includes(book)) return 'not_signed_by_bookkeeper'
  return undefined
}

/** Recovers the account that signed a hash, in lower case; `undefined` for a signature that none made. */
export async function signerOf(hash: Hex, signature: Hex): Promise<string | undefined> {
  try {
    return (await recoverAddress({ hash, signature })).toLowerCase()
  } catch {
    return undefined
  }
}

import { hashHeader } from '@clearwell/verify/hash-header'
import { recoverSigner } from '@clearwell/verify/secp256k1'
import { type Leaf, rootOf } from '@clearwell/verify/verify-proof'
import type { Hex } from 'viem'
import type { Paths, SignedHeader } from './kit-data.ts'

/** The vault and the account that all figures belong to. */
export interface Domain {
  readonly chainId: number
  readonly vault: Hex
  readonly account: Hex
}

/** A leaf whose path leads to the root of its asset in the header. */
export interface ProvenLeaf {
  readonly leaf: Leaf
  readonly token: Hex
  /** The asset's place in the header. */
  readonly index: number
}

export interface PathCheck {
  readonly signed: SignedHeader
  /** Leaves that the vault can pay: RT has no token. */
  readonly leaves: readonly ProvenLeaf[]
  /** Addresses in lower case; `undefined` where the signature is missing or in bad form. */
  readonly rootKey: string | undefined
  readonly bookkeeper: string | undefined
  readonly faults: readonly PathFault[]
}

export type PathFault = 'hash' | 'path' | 'root_signature' | 'bookkeeper_signature'

/**
 * Checks a user's paths without any node: the header's hash, who signed it, and the root that each leaf leads to. Whether those keys
 * are the vault's is known once the vault has stored the header's hash, because it takes no other.
 */
export async function checkPaths(
  { leaves }: Paths,
  signed: SignedHeader,
  { chainId, vault, account }: Domain,
): Promise<PathCheck> {
  const faults: PathFault[] = []
  const hash = hashed(signed, { chainId, vault })
  if (hash !== signed.hash) faults.push('hash')
  const [rootKey, bookkeeper] = [signed.signatures.root, signed.signatures.bookkeeper].map((each) =>
    each ? recovered(signed.hash, each) : undefined,
  )
  if (rootKey === undefined) faults.push('root_signature')
  if (bookkeeper === undefined) faults.push('bookkeeper_signature')
  const proven: ProvenLeaf[] = []
  for (const leaf of leaves) {
    if (leaf.asset === 'RT') continue
    const found = await findAsset(leaf, signed, account)
    if (found) proven.push(found)
    else faults.push('path')
  }
  return { signed, leaves: proven, rootKey, bookkeeper, faults: [...new Set(faults)] }
}

/** Returns whether a header is of this vault: the address is part of its hash. */
export function isOfVault(signed: SignedHeader, domain: Omit<Domain, 'account'>): boolean {
  return hashed(signed, domain) === signed.hash
}

function hashed({ header }: SignedHeader, { chainId, vault }: Omit<Domain, 'account'>): string | undefined {
  try {
    return hashHeader(header as never, { chainId, verifyingContract: vault })
  } catch {
    return undefined
  }
}

function recovered(hash: string, signature: string): string | undefined {
  try {
    return recoverSigner(hash, signature)
  } catch {
    return undefined
  }
}

/** The token is part of the hash, so only one asset of the header can fit. */
async function findAsset(leaf: Leaf, { header }: SignedHeader, account: Hex): Promise<ProvenLeaf | undefined> {
  if (leaf.path.length !== header.depth) return undefined
  for (const [index, { token, root }] of header.assets.entries()) {
    const found = await rootOf(leaf, { account, token: token ?? '' }).catch(() => undefined)
    if (found !== undefined && found === root) return { leaf, token: token as Hex, index }
  }
  return undefined
}

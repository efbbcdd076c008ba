import type { LedgerFollower } from './ledger-follower.ts'
import type { HeaderFields } from './ledger-lines.ts'
import type { PathHeaders, Signatures } from './path-headers.ts'
import type { TreeLeaf } from './users-tree.ts'

/** A leaf with its path, as `POST /proof/mine` of a server returns it. Amounts are whole base units. */
export interface OwnLeaf {
  readonly kind: 'user'
  readonly asset: string
  readonly free: string
  readonly deposited_seen: string
  readonly paid_seen: string
  readonly salt: string
  readonly index: number
  /** From the leaf to the top. */
  readonly path: readonly { readonly hash: string; readonly sum: string; readonly side: 'left' | 'right' }[]
}

/** An account's leaves in one header, with that header. */
export interface OwnPaths {
  readonly number: string
  /** null: the header is not on the chain. */
  readonly posted_at: string | null
  readonly leaves: readonly OwnLeaf[]
  /** The header, as `POST /proof/header` of a server returns it. */
  readonly signed: {
    readonly number: string
    readonly hash: string
    readonly header: HeaderFields
    readonly signatures: Signatures
    readonly tx_hash: string | null
  }
}

/**
 * Builds the paths of an account. Its leaves are empty if the header does not contain it.
 *
 * @returns `undefined` if no path may be given out for the header.
 */
export function ownPaths(
  follower: Pick<LedgerFollower, 'trees' | 'accountOf'>,
  headers: Pick<PathHeaders, 'find'>,
  { account, number }: { readonly account: string; readonly number?: string | undefined },
): OwnPaths | undefined {
  const found = headers.find(number)
  if (!found) return undefined
  const { header, hash, signatures, post, tops } = found
  const owner = follower.accountOf(account)
  const leaves = [...follower.trees].flatMap(([asset, tree]): OwnLeaf[] => {
    if (!owner) return []
    const { place, salt } = owner
    const { leaf, path } = tree.pathIn(tops.get(asset), place)
    if (!('paidSeen' in leaf)) return []
    const { sum, depositedSeen, paidSeen } = leaf as TreeLeaf
    const steps = path.map((node, height) => ({
      ...{ hash: `0x${node.hash.toString('hex')}`, sum: `${node.sum}` },
      side: (place >>> height) & 1 ? ('left' as const) : ('right' as const),
    }))
    const amounts = { free: `${sum}`, deposited_seen: `${depositedSeen}`, paid_seen: `${paidSeen}` }
    return [{ kind: 'user', asset, ...amounts, salt, index: place, path: steps }]
  })
  return {
    number: header.number,
    posted_at: post ? new Date(1_000 * post.postedAt).toISOString() : null,
    leaves,
    signed: { number: header.number, hash, header, signatures, tx_hash: post?.tx ?? null },
  }
}

import type { ResponseOf } from '@clearwell/api/routes'
import { formatAmount } from '@clearwell/money/amount'
import { ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import { encodeHeader, type Header } from '@clearwell/proofs/header'
import { zeroHash } from 'viem'
import type { OwnLeaf } from '../../domain/proofs/own-leaves-port.ts'
import type { PostedRootRow } from '../../domain/proofs/posted-roots.ts'

export type Claims = ResponseOf<'proofClaims'>
type Claim = Claims['claims'][number]

/** An account without a leaf in a tree, in the form of the contract. */
const NO_LEAF = { salt: zeroHash, free: '0', deposited_seen: '0', paid_seen: '0' }

/** A root of the vault, and its header in this ledger. */
export interface KnownRoot {
  readonly row: PostedRootRow
  readonly header: Header
}

/** The last payment of an account's exits: its root, and its block. */
export interface LastPayment {
  readonly root: PostedRootRow
  readonly block: bigint
}

/** The counters that the vault has of an account now. */
type Counters = ReadonlyMap<AssetId, { readonly deposited: bigint; readonly paid: bigint }>

/**
 * Decides whether the root of the account's last exit is the base again, as `_baseOf` of the vault does. A base that does not know the
 * payment of that exit may hold the same money in another asset.
 */
export function isBaseAgain(last: LastPayment, { row, header }: KnownRoot): boolean {
  return last.block > header.cursorBlock && last.root.seq !== row.seq
}

/**
 * Computes what the vault pays an account under a header, with the arguments of each claim. Assets without something to pay, and those that
 * the header does not have, are left out.
 *
 * @param of.own the leaves of the account in the header.
 */
export function decideClaims(
  { assets }: Pick<Header, 'assets'>,
  {
    tokens,
    own,
    counters,
  }: {
    readonly tokens: Readonly<Record<AssetId, string>>
    readonly own: readonly OwnLeaf[]
    readonly counters: Counters
  },
): Claim[] {
  return ASSET_IDS.flatMap((asset) => {
    const token = tokens[asset]
    const index = assets.findIndex((each) => each.token.toLowerCase() === token.toLowerCase())
    const leaf = own.find((each) => each.asset === asset)
    const { deposited, paid } = counters.get(asset) ?? { deposited: 0n, paid: 0n }
    const units = unitsUnder(leaf ?? NO_LEAF, { deposited, paid })
    if (index < 0 || units <= 0n) return []
    const { salt, free, deposited_seen, paid_seen } = leaf ?? NO_LEAF
    return [
      {
        ...{ asset, amount: formatAmount({ asset, units }), token, index },
        leaf: { salt, free, deposited_seen, paid_seen },
        place: leaf?.index ?? 0,
        path: (leaf?.path ?? []).map(({ hash, sum }) => ({ hash, sum })),
      },
    ]
  })
}

/** Computes as the vault does: `free + (deposited − depositedSeen) − (paid − paidSeen)`. */
function unitsUnder(
  { free, deposited_seen, paid_seen }: Pick<OwnLeaf, 'free' | 'deposited_seen' | 'paid_seen'>,
  { deposited, paid }: { readonly deposited: bigint; readonly paid: bigint },
): bigint {
  return BigInt(free) + deposited - BigInt(deposited_seen) - paid + BigInt(paid_seen)
}

/**
 * Describes the roots of an exit as the vault takes them.
 *
 * @param roots the base, and behind it the root that is the base again, if there is one.
 * @param next the root after the base.
 */
export function describeRoots(
  roots: readonly [KnownRoot, ...KnownRoot[]],
  next: PostedRootRow | undefined,
): Pick<Claims, 'base' | 'roots' | 'next'> {
  const [{ row: base }] = roots
  return {
    base: { number: `${base.number}`, posted_at: base.posted_at.toISOString(), tx_hash: base.tx_hash },
    roots: roots.map(({ row, header }) => ({ header: encodeHeader(header), ...referTo(row) })),
    next: next ? { header_hash: next.header_hash, ...referTo(next) } : { header_hash: zeroHash, posted_at: 0, seq: 0 },
  }
}

/** The vault counts time in seconds. */
function referTo({ posted_at, seq }: PostedRootRow) {
  return { posted_at: posted_at.getTime() / 1_000, seq: Number(seq) }
}

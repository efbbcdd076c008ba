import { type Hex, pack } from './bytes.ts'
import { sha256 } from './leaf.ts'
import { SparseTree } from './sparse-tree.ts'

/** A pledge of one account: shares of the pool of one asset. */
export interface Pledge {
  readonly salt: Hex
  readonly account: Hex
  readonly pool: Hex
  readonly shares: bigint
}

/** An open loan order. The debt is its shares times the pool's index. */
export interface LoanOrder {
  readonly salt: Hex
  readonly account: Hex
  /** 16 bytes. */
  readonly id: Hex
  readonly collateralAsset: Hex
  readonly collateral: bigint
  readonly debtAsset: Hex
  readonly debtShares: bigint
}

/** Totals of the lending pool of one asset. */
export interface LendingPool {
  readonly asset: Hex
  readonly cash: bigint
  readonly shares: bigint
  readonly debtShares: bigint
  /** Base units of debt for each debt share, at 10^27. */
  readonly indexE27: bigint
  /** Collateral of this pool's open orders, by asset in the order of the pools. */
  readonly collateral: readonly bigint[]
}

export function hashPledge({ salt, account, pool, shares }: Pledge): Buffer {
  return sha256(pack(0x10, [[salt, 32], [account, 20], [pool, 20], shares]))
}

export function hashOrder(order: LoanOrder): Buffer {
  const { salt, account, id, collateralAsset, collateral, debtAsset, debtShares } = order
  const owner = [
    [salt, 32],
    [account, 20],
    [id, 16],
  ] as const
  return sha256(pack(0x11, [...owner, [collateralAsset, 20], collateral, [debtAsset, 20], debtShares]))
}

/** Hashes the totals of all lending pools. @throws RangeError unless each pool lists the collateral in every asset. */
export function hashPools(pools: readonly LendingPool[]): Buffer {
  if (pools.length > 255) throw new RangeError('more than 255 pools')
  const all = pools.map(({ asset, cash, shares, debtShares, indexE27, collateral }) => {
    if (collateral.length !== pools.length) throw new RangeError('a pool lists its collateral in every asset')
    return pack(0, [[asset, 20], cash, shares, debtShares, indexE27, ...collateral]).subarray(1)
  })
  return sha256(Buffer.concat([Buffer.of(0x20, pools.length), ...all]))
}

const EMPTY_POSITION = sha256(Buffer.of(0x13))
const KIND = {
  recordBytes: 32,
  empty: EMPTY_POSITION,
  combine: (children: Buffer, target: Buffer) => target.set(hashPair(children)),
}

function hashPair(children: Buffer): Buffer {
  return sha256(Buffer.concat([Buffer.of(0x12), children]))
}

/** The tree of all pledges and loan orders, without sums. A cleared place is empty again. */
export class PositionsTree {
  readonly #tree: SparseTree

  constructor(depth: number) {
    this.#tree = new SparseTree(depth, KIND)
  }

  /** Sets the positions of places; without a hash the place becomes empty. */
  set(changes: readonly { readonly place: number; readonly hash: Uint8Array | undefined }[]): void {
    this.#tree.set(changes.map(({ place, hash = EMPTY_POSITION }) => ({ place, record: hash })))
  }

  root(): Buffer {
    return hashPositionsRoot(this.#tree.depth, this.#tree.top)
  }

  path(place: number): Buffer[] {
    return this.#tree.siblings(place)
  }
}

/**
 * Builds the tree of some positions: they are at the places from 0 on in the order of their hashes, so the tree is the same for every
 * server, and its order says nothing. The tree is as deep as they need, and at least 1.
 */
export function treeOfPositions(hashes: readonly Buffer[]): PositionsTree {
  const sorted = hashes.toSorted((a, b) => a.compare(b))
  const tree = new PositionsTree(Math.max(1, Math.ceil(Math.log2(sorted.length))))
  tree.set(sorted.map((hash, place) => ({ place, hash })))
  return tree
}

/** Computes the root that a position at a place leads to. The depth is the length of the path. */
export function positionsRootOfPath(hash: Buffer, place: number, path: readonly Buffer[]): Buffer {
  if (!Number.isInteger(place) || place < 0 || place >= 2 ** path.length) throw new RangeError(`${place} is no place`)
  const top = path.reduce((below, other, height) => {
    const isRight = (place >>> height) & 1
    return hashPair(Buffer.concat(isRight ? [other, below] : [below, other]))
  }, hash)
  return hashPositionsRoot(path.length, top)
}

function hashPositionsRoot(depth: number, top: Buffer): Buffer {
  return sha256(Buffer.concat([Buffer.of(0x14, depth), top]))
}

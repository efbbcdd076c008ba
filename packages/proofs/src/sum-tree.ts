import { type Hex, MAX_UINT128, readUint128 } from './bytes.ts'
import { combineRecords, EMPTY_HASH, hashRoot, RECORD_BYTES, toRecord } from './leaf.ts'
import { SparseTree } from './sparse-tree.ts'

/** Depth of every users tree: room for 1,048,576 accounts. */
const USERS_DEPTH = 20

/** The other child at one step of a path. */
export interface Sibling {
  readonly hash: Buffer
  readonly sum: bigint
}

/** A leaf for a place, as {@link hashLeaf} hashes it. */
export interface LeafChange {
  readonly place: number
  readonly hash: Uint8Array
  readonly sum: bigint
}

const KIND = { recordBytes: RECORD_BYTES, empty: toRecord(EMPTY_HASH, 0n), combine: combineRecords }

/** The tree of all users' balances of one asset, whose every node contains the sums of both children. */
export class SumTree {
  readonly #tree: SparseTree

  constructor(depth = USERS_DEPTH) {
    this.#tree = new SparseTree(depth, KIND)
  }

  get depth(): number {
    return this.#tree.depth
  }

  /** The sum of all leaves. */
  get sum(): bigint {
    return readUint128(this.#tree.top, 32)
  }

  /** Bytes of all nodes. */
  get bytes(): number {
    return this.#tree.bytes
  }

  /** Returns hash and sum of the leaf at a place. */
  leaf(place: number): Sibling {
    return toSibling(this.#tree.leaf(place))
  }

  /**
   * Sets leaves and computes each node above them once: {@link USERS_DEPTH} hashes for one leaf, fewer for each of many.
   *
   * @throws RangeError if the new total does not fit into 128 bits, or a place is outside the tree. Nothing is changed then.
   */
  set(changes: readonly LeafChange[]): void {
    const sums = new Map(changes.map(({ place, sum }) => [place, sum]))
    let total = this.sum
    for (const [place, sum] of sums) {
      if (sum < 0n) throw new RangeError('a leaf has no sum below zero')
      total += sum - this.leaf(place).sum
    }
    // No sum is below zero, so where the total fits every node's sum does.
    if (total > MAX_UINT128) throw new RangeError(`the total ${total} does not fit into 128 bits`)
    this.#tree.set(changes.map(({ place, hash, sum }) => ({ place, record: toRecord(hash, sum) })))
  }

  root(asset: Hex): Buffer {
    return hashRoot(asset, this.depth, this.#tree.top)
  }

  /** Returns the path of a place: the siblings from the leaf to the top. */
  path(place: number): Sibling[] {
    return this.#tree.siblings(place).map(toSibling)
  }
}

/**
 * Computes the root that a leaf at a place leads to.
 *
 * @throws RangeError if the path is shorter or longer than the tree is deep, the place is outside, or a sum overflows.
 */
export function rootOfPath({ asset, depth, leaf, place, path }: PathToRoot): Buffer {
  if (path.length !== depth) throw new RangeError(`the path has ${path.length} steps, and the tree ${depth}`)
  if (!Number.isInteger(place) || place < 0 || place >= 2 ** depth) throw new RangeError(`${place} is no place`)
  const target = Buffer.from(toRecord(leaf.hash, leaf.sum))
  for (const [height, { hash, sum }] of path.entries()) {
    const other = toRecord(hash, sum)
    const isRight = (place >>> height) & 1
    combineRecords(Buffer.concat(isRight ? [other, target] : [target, other]), target)
  }
  return hashRoot(asset, depth, target)
}

export interface PathToRoot {
  readonly asset: Hex
  readonly depth: number
  readonly leaf: Sibling
  readonly place: number
  readonly path: readonly Sibling[]
}

function toSibling(record: Buffer): Sibling {
  return { hash: Buffer.from(record.subarray(0, 32)), sum: readUint128(record, 32) }
}

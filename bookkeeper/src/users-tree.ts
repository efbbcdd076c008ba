import { createHash } from 'node:crypto'

/** Hash and sum of a node of a users tree. */
export interface TreeNode {
  readonly hash: Buffer
  readonly sum: bigint
}

/** A leaf with the counters in its hash, so that a path to it can be given out. */
export interface TreeLeaf extends TreeNode {
  readonly depositedSeen: bigint
  readonly paidSeen: bigint
}

/** A node that is never changed: a later tree shares the parts that are the same. */
interface Branch extends TreeNode {
  readonly left?: Branch | undefined
  readonly right?: Branch | undefined
}

/** The tree as it was at one moment. */
export type TreeTop = Branch | undefined

/** The figures of one account in one asset that a tree fixes. Amounts are base units. */
export interface LeafFields {
  /** 32 bytes in hex with 0x, as are the 20 bytes of `account` and `token`. */
  readonly salt: string
  readonly account: string
  readonly token: string
  readonly free: bigint
  readonly depositedSeen: bigint
  readonly paidSeen: bigint
}

const LIMIT = 1n << 128n

/** Hashes a leaf as docs/concepts/proofs.md defines it. @throws RangeError for a field of another size */
export function hashLeaf({ salt, account, token, free, depositedSeen, paidSeen }: LeafFields): Buffer {
  const id = [bytesOf(salt, 32), bytesOf(account, 20), bytesOf(token, 20)]
  return sha256(Buffer.of(0), ...id, ...[free, depositedSeen, paidSeen].map(uint128))
}

/** The tree of all users' balances of one asset. Only nodes that are not empty take memory. */
export class UsersTree {
  readonly depth: number
  /** The empty node of each level, from the leaves to the top. */
  readonly #empty: TreeNode[]
  #top: TreeTop

  constructor(depth: number) {
    this.depth = depth
    const empty: TreeNode[] = [{ hash: sha256(Buffer.of(2)), sum: 0n }]
    for (let level = 0; level < depth; level++) empty.push(join(empty[level] as TreeNode, empty[level] as TreeNode))
    this.#empty = empty
  }

  get sum(): bigint {
    return this.#top?.sum ?? 0n
  }

  /** The tree as it is now. It stays the same when leaves are set later. */
  get top(): TreeTop {
    return this.#top
  }

  leaf(place: number): TreeNode {
    return this.pathIn(this.#top, place).leaf
  }

  /** Sets leaves, and computes each node above them once. @throws RangeError for a place outside the tree */
  set(leaves: ReadonlyMap<number, TreeNode>): void {
    for (const place of leaves.keys())
      if (!Number.isInteger(place) || place < 0 || place >= 2 ** this.depth)
        throw new RangeError(`${place} is no place of the tree`)
    const at = { level: this.depth, first: 0 }
    if (leaves.size > 0) this.#top = this.#grow(this.#top, at, { places: [...leaves.keys()], leaves })
  }

  /** Returns the root in hex with 0x. @param token the asset's number, 20 bytes in hex with 0x */
  root(token: string): string {
    const { hash, sum } = this.#top ?? (this.#empty[this.depth] as TreeNode)
    const root = sha256(Buffer.of(3), bytesOf(token, 20), Buffer.of(this.depth), hash, uint128(sum))
    return `0x${root.toString('hex')}`
  }

  /** Returns the leaf at a place, and the nodes beside its path from the leaf to the top. @param top of this tree at any moment */
  pathIn(top: TreeTop, place: number): { readonly leaf: TreeNode; readonly path: readonly TreeNode[] } {
    const path: TreeNode[] = []
    let node = top
    for (let level = this.depth - 1; level >= 0; level--) {
      const isRight = (place >>> level) & 1
      path.push((isRight ? node?.left : node?.right) ?? (this.#empty[level] as TreeNode))
      node = isRight ? node?.right : node?.left
    }
    return { leaf: node ?? (this.#empty[0] as TreeNode), path: path.reverse() }
  }

  #grow(
    node: TreeTop,
    { level, first }: { readonly level: number; readonly first: number },
    { places, leaves }: { readonly places: readonly number[]; readonly leaves: ReadonlyMap<number, TreeNode> },
  ): Branch {
    if (level === 0) return leaves.get(first) as TreeNode
    const middle = first + 2 ** (level - 1)
    const [before, after] = [places.filter((place) => place < middle), places.filter((place) => place >= middle)]
    const below = { level: level - 1, first }
    const left = before.length > 0 ? this.#grow(node?.left, below, { places: before, leaves }) : node?.left
    const right =
      after.length > 0 ? this.#grow(node?.right, { ...below, first: middle }, { places: after, leaves }) : node?.right
    const empty = this.#empty[level - 1] as TreeNode
    return { ...join(left ?? empty, right ?? empty), left, right }
  }
}

/** @throws RangeError if the sum does not fit into 128 bits */
function join(left: TreeNode, right: TreeNode): TreeNode {
  const sum = left.sum + right.sum
  return { hash: sha256(Buffer.of(1), left.hash, uint128(left.sum), right.hash, uint128(right.sum)), sum: limited(sum) }
}

export function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** Reads the bytes of a hex value with 0x. @throws RangeError unless it has exactly `size` bytes */
function bytesOf(hex: string, size: number): Buffer {
  if (!/^0x[0-9a-fA-F]*$/.test(hex) || hex.length !== 2 + 2 * size) throw new RangeError(`${hex} is not ${size} bytes`)
  return Buffer.from(hex.slice(2), 'hex')
}

function uint128(value: bigint): Buffer {
  return Buffer.from(limited(value).toString(16).padStart(32, '0'), 'hex')
}

function limited(value: bigint): bigint {
  if (value < 0n || value >= LIMIT) throw new RangeError(`${value} does not fit into 128 bits`)
  return value
}

import { createHash } from 'node:crypto'

/** Hash and sum of a node of a users tree. */
export interface TreeNode {
  readonly hash: Buffer
  readonly sum: bigint
}

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

/** Hashes a leaf as docs/concepts/trees-and-header.md defines it. @throws RangeError for a field of another size */
export function hashLeaf({ salt, account, token, free, depositedSeen, paidSeen }: LeafFields): Buffer {
  const id = [bytesOf(salt, 32), bytesOf(account, 20), bytesOf(token, 20)]
  return sha256(Buffer.of(0), ...id, ...[free, depositedSeen, paidSeen].map(uint128))
}

/** The tree of all users' balances of one asset. Only nodes that are not empty take memory. */
export class UsersTree {
  /** From the leaves to the top, by place. */
  readonly #levels: Map<number, TreeNode>[]
  /** The empty node of each level. */
  readonly #empty: TreeNode[]

  constructor(depth: number) {
    this.#levels = Array.from({ length: depth + 1 }, () => new Map<number, TreeNode>())
    const empty: TreeNode[] = [{ hash: sha256(Buffer.of(2)), sum: 0n }]
    for (let level = 0; level < depth; level++) empty.push(join(empty[level] as TreeNode, empty[level] as TreeNode))
    this.#empty = empty
  }

  get depth(): number {
    return this.#levels.length - 1
  }

  get sum(): bigint {
    return this.#node(this.depth, 0).sum
  }

  leaf(place: number): TreeNode {
    return this.#node(0, place)
  }

  /** Sets leaves, and computes each node above them once. @throws RangeError for a place outside the tree */
  set(leaves: ReadonlyMap<number, TreeNode>): void {
    for (const [place, leaf] of leaves) {
      if (!Number.isInteger(place) || place < 0 || place >= 2 ** this.depth)
        throw new RangeError(`${place} is no place of the tree`)
      this.#levels[0]?.set(place, leaf)
    }
    let places = new Set(leaves.keys())
    for (let level = 0; level < this.depth; level++) {
      const above = new Set([...places].map((place) => Math.floor(place / 2)))
      for (const place of above)
        this.#levels[level + 1]?.set(place, join(this.#node(level, 2 * place), this.#node(level, 2 * place + 1)))
      places = above
    }
  }

  /** Returns the root in hex with 0x. @param token the asset's number, 20 bytes in hex with 0x */
  root(token: string): string {
    const { hash, sum } = this.#node(this.depth, 0)
    const root = sha256(Buffer.of(3), bytesOf(token, 20), Buffer.of(this.depth), hash, uint128(sum))
    return `0x${root.toString('hex')}`
  }

  #node(level: number, place: number): TreeNode {
    return this.#levels[level]?.get(place) ?? (this.#empty[level] as TreeNode)
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

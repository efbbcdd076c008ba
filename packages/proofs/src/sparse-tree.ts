/** Records of one allocation: small enough for a small ledger, and large enough that a million need few of them. */
const CHUNK = 4_096

/** Most levels of a tree: more would need more than 4 GB for the index of its nodes. */
const MAX_DEPTH = 29

/** Defines the records of a tree: all have one size. */
export interface TreeKind {
  readonly recordBytes: number
  /** The record of a place that was never set. */
  readonly empty: Uint8Array
  /** Writes the record of a node into `target`. `children` has the left record, then the right one. */
  combine(children: Buffer, target: Buffer): void
}

/** A record for a place. */
export interface Change {
  readonly place: number
  readonly record: Uint8Array
}

/**
 * A binary tree of fixed depth that stores only the nodes above places that were set. All nodes are in flat buffers, so that
 * a million of them cost the garbage collector nothing.
 *
 * Places count from 0, and the lowest bit of a place is the step at its leaf: 0 for the left child.
 */
export class SparseTree {
  readonly depth: number
  readonly #kind: TreeKind
  /** For each node, counted from 1 at the top, the number of its record plus 1; 0 for an empty subtree. */
  readonly #recordOf: Int32Array
  readonly #chunks: Buffer[] = []
  #records = 0
  /** The record of an empty subtree, by its height. */
  readonly #emptyAt: Buffer[]
  readonly #children: Buffer

  constructor(depth: number, kind: TreeKind) {
    if (!Number.isInteger(depth) || depth < 1 || depth > MAX_DEPTH)
      throw new RangeError(`${depth} is no depth of a tree`)
    this.depth = depth
    this.#kind = kind
    this.#recordOf = new Int32Array(2 ** (depth + 1))
    this.#children = Buffer.alloc(2 * kind.recordBytes)
    this.#emptyAt = [Buffer.from(kind.empty)]
    for (let height = 1; height <= depth; height++) {
      const below = this.#emptyAt[height - 1] as Buffer
      below.copy(this.#children, 0)
      below.copy(this.#children, kind.recordBytes)
      const record = Buffer.alloc(kind.recordBytes)
      kind.combine(this.#children, record)
      this.#emptyAt.push(record)
    }
  }

  /** Bytes of all records and of the index. The index counts wholly, although untouched parts of it take no memory. */
  get bytes(): number {
    return this.#chunks.length * CHUNK * this.#kind.recordBytes + this.#recordOf.byteLength
  }

  /** The record at the top: a view, valid until the next change. */
  get top(): Buffer {
    return this.#at(1, this.depth)
  }

  /** Returns the record of a place: a view, valid until the next change. */
  leaf(place: number): Buffer {
    return this.#at(this.#nodeOf(place), 0)
  }

  /** Returns copies of the records beside the path of a place, from the leaf to the top. */
  siblings(place: number): Buffer[] {
    const leaf = this.#nodeOf(place)
    return Array.from({ length: this.depth }, (_, height) => Buffer.from(this.#at((leaf >>> height) ^ 1, height)))
  }

  /** Sets records and computes each node above them once. The last record of a place counts. */
  set(changes: readonly Change[]): void {
    const nodes = new Uint32Array(changes.map(({ place }) => this.#nodeOf(place)))
    for (const [index, { record }] of changes.entries()) this.#write(nodes[index] as number).set(record)
    let changed: Uint32Array = nodes.sort()
    for (let height = 1; height <= this.depth; height++) {
      changed = parentsOf(changed)
      for (const node of changed) this.#combine(node, height)
    }
  }

  #combine(node: number, height: number): void {
    this.#at(2 * node, height - 1).copy(this.#children, 0)
    this.#at(2 * node + 1, height - 1).copy(this.#children, this.#kind.recordBytes)
    this.#kind.combine(this.#children, this.#write(node))
  }

  #nodeOf(place: number): number {
    const places = 2 ** this.depth
    if (!Number.isInteger(place) || place < 0 || place >= places)
      throw new RangeError(`${place} is no place of the tree`)
    return places + place
  }

  #at(node: number, height: number): Buffer {
    const record = this.#recordOf[node] as number
    return record === 0 ? (this.#emptyAt[height] as Buffer) : this.#view(record - 1)
  }

  #write(node: number): Buffer {
    if (this.#recordOf[node] === 0) {
      if (this.#records % CHUNK === 0) this.#chunks.push(Buffer.alloc(CHUNK * this.#kind.recordBytes))
      this.#records += 1
      this.#recordOf[node] = this.#records
    }
    return this.#view((this.#recordOf[node] as number) - 1)
  }

  #view(record: number): Buffer {
    const { recordBytes } = this.#kind
    const start = (record % CHUNK) * recordBytes
    return (this.#chunks[Math.floor(record / CHUNK)] as Buffer).subarray(start, start + recordBytes)
  }
}

/** Returns the parents of nodes in ascending order, each once. */
function parentsOf(nodes: Uint32Array): Uint32Array {
  const parents = new Uint32Array(nodes.length)
  let count = 0
  for (const node of nodes) {
    const parent = node >>> 1
    if (count === 0 || parents[count - 1] !== parent) parents[count++] = parent
  }
  return parents.subarray(0, count)
}

import { type Hex, readUint128, writeHex } from './bytes.ts'
import { sha256 } from './leaf.ts'
import { type LeafChange, type Sibling, SumTree } from './sum-tree.ts'

/** Salt and address of an account. */
const OWNER_BYTES = 52
const LEAF_BYTES = 1 + OWNER_BYTES + 20 + 48

/** An account with its place and salt, which it keeps for ever. */
export interface PlacedAccount {
  readonly place: number
  readonly account: Hex
  readonly salt: Hex
}

/** Size of a change as {@link packChange} writes it. */
export const CHANGE_BYTES = 53

/** A leaf without money. */
const NOTHING = Buffer.alloc(CHANGE_BYTES)

/** The figures of one leaf after a change. */
export interface BalanceChange {
  readonly place: number
  /** Index of the asset in the list that the trees were made with. */
  readonly asset: number
  readonly free: bigint
  readonly depositedSeen: bigint
  readonly paidSeen: bigint
}

/** The head of one users tree. */
export interface TreeHead {
  readonly asset: Hex
  readonly root: Buffer
  readonly sum: bigint
}

/** Writes a change as bytes, so that a batch moves between threads without being copied. */
export function packChange(
  { place, asset, free, depositedSeen, paidSeen }: BalanceChange,
  target: Buffer,
  offset: number,
): void {
  target.writeUInt32BE(place, offset)
  target[offset + 4] = asset
  for (const [index, units] of [free, depositedSeen, paidSeen].entries()) {
    target.writeBigUInt64BE(units >> 64n, offset + 5 + 16 * index)
    target.writeBigUInt64BE(units & 0xffff_ffff_ffff_ffffn, offset + 13 + 16 * index)
  }
}

/**
 * The users trees of all assets. Changes wait until the heads are asked for, so that a leaf that changed often and the nodes
 * near the top are hashed once.
 */
export class BalanceTrees {
  readonly #assets: readonly Hex[]
  readonly #trees: readonly SumTree[]
  /** Salt and address of each place. */
  readonly #owners: Buffer
  readonly #placed: Uint8Array
  /** The last waiting change of each place, by asset. */
  readonly #waiting: readonly Map<number, Buffer>[]
  readonly #leaf = Buffer.alloc(LEAF_BYTES)

  constructor(assets: readonly Hex[]) {
    this.#assets = assets
    this.#trees = assets.map(() => new SumTree())
    this.#waiting = assets.map(() => new Map())
    const places = 2 ** (this.#trees[0]?.depth ?? 0)
    this.#owners = Buffer.alloc(places * OWNER_BYTES)
    this.#placed = new Uint8Array(places)
  }

  /** Bytes of all nodes and owners. */
  get bytes(): number {
    return this.#trees.reduce((sum, tree) => sum + tree.bytes, this.#owners.length + this.#placed.length)
  }

  /** Adds an account: a leaf of zeros in every tree. @throws Error if the place has an account. */
  place({ place, account, salt }: PlacedAccount): void {
    if (this.#placed[place] !== 0) throw new Error(`place ${place} is taken or outside`)
    this.#placed[place] = 1
    writeHex(salt, { target: this.#owners, offset: place * OWNER_BYTES, size: 32 })
    writeHex(account, { target: this.#owners, offset: place * OWNER_BYTES + 32, size: 20 })
    for (const waiting of this.#waiting) waiting.set(place, NOTHING)
  }

  /** True if the place has an account. */
  isPlaced(place: number): boolean {
    return this.#placed[place] === 1
  }

  /** Depth of every tree. */
  get depth(): number {
    return this.#trees[0]?.depth ?? 0
  }

  /** Returns hash and sum of a leaf as of the last {@link BalanceTrees.heads}. @param asset its index. */
  leaf(asset: number, place: number): Sibling {
    return this.#treeOf(asset).leaf(place)
  }

  /** Returns the path of a leaf as of the last {@link BalanceTrees.heads}. @param asset its index. */
  path(asset: number, place: number): Sibling[] {
    return this.#treeOf(asset).path(place)
  }

  #treeOf(asset: number): SumTree {
    const tree = this.#trees[asset]
    if (!tree) throw new Error(`there is no asset ${asset}`)
    return tree
  }

  /** Takes packed changes. A later change of a leaf replaces an earlier one. @throws Error for a place without an account. */
  change(packed: Buffer): void {
    for (let offset = 0; offset < packed.length; offset += CHANGE_BYTES) {
      const [place, asset] = [packed.readUInt32BE(offset), packed[offset + 4] as number]
      if (this.#placed[place] !== 1) throw new Error(`place ${place} has no account`)
      const waiting = this.#waiting[asset]
      if (!waiting) throw new Error(`there is no asset ${asset}`)
      waiting.set(place, packed.subarray(offset, offset + CHANGE_BYTES))
    }
  }

  /** Hashes the waiting changes and returns the head of each tree. */
  heads(): TreeHead[] {
    return this.#trees.map((tree, index) => {
      const asset = this.#assets[index] as Hex
      const waiting = this.#waiting[index] as Map<number, Buffer>
      tree.set([...waiting].map(([place, change]) => this.#leafOf(asset, place, change)))
      waiting.clear()
      return { asset, root: tree.root(asset), sum: tree.sum }
    })
  }

  #leafOf(asset: Hex, place: number, change: Buffer): LeafChange {
    this.#owners.copy(this.#leaf, 1, place * OWNER_BYTES, (place + 1) * OWNER_BYTES)
    writeHex(asset, { target: this.#leaf, offset: 1 + OWNER_BYTES, size: 20 })
    change.copy(this.#leaf, 21 + OWNER_BYTES, 5)
    return { place, hash: sha256(this.#leaf), sum: readUint128(change, 5) }
  }
}

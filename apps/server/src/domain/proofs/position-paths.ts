import type { Queryable } from '@clearwell/ledger/database'
import { type PositionsTree, treeOfPositions } from '@clearwell/proofs/positions'

/** The root of a positions tree, and the places of some leaves in it. */
export interface PositionPaths {
  /** Hex with 0x, as all hashes here. */
  readonly root: string
  /** In the order in which the leaves were asked for; `undefined`: the tree has no such leaf. */
  readonly places: readonly ({ readonly index: number; readonly path: readonly string[] } | undefined)[]
}

/** The positions tree of one header. All paths that are given out in an hour are of the same one. */
export class PositionTree {
  #number: bigint | undefined
  #tree: PositionsTree | undefined
  #places = new Map<string, number>()

  /** The header whose tree it is; `undefined` before the first. */
  get number(): bigint | undefined {
    return this.#number
  }

  /** Takes the leaves of a header in the place of those of before. */
  hold(number: bigint, hashes: readonly string[]): void {
    const sorted = hashes.toSorted()
    this.#tree = treeOfPositions(sorted.map((hash) => Buffer.from(hash.slice(2), 'hex')))
    this.#places = new Map(sorted.map((hash, place) => [hash, place]))
    this.#number = number
  }

  /** @throws Error before the first header. */
  pathsOf(hashes: readonly string[]): PositionPaths {
    const tree = this.#tree
    if (!tree) throw new Error('there is no positions tree yet')
    const hexOf = (bytes: Buffer) => `0x${bytes.toString('hex')}`
    const places = hashes.map((hash) => {
      const index = this.#places.get(hash)
      return index === undefined ? undefined : { index, path: tree.path(index).map(hexOf) }
    })
    return { root: hexOf(tree.root()), places }
  }
}

/** Reads the hashes of all positions of a header. */
export async function readPositionHashes(db: Queryable, number: bigint): Promise<string[]> {
  const rows = await db.query<{ hash: string }>(
    'select hash from proof_positions where since <= $1 and (ended is null or ended > $1)',
    [number.toString()],
  )
  return rows.map(({ hash }) => hash)
}

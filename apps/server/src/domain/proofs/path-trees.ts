import type { Queryable } from '@clearwell/ledger/database'
import { ASSET_IDS } from '@clearwell/money/asset'
import { openRecords } from '@clearwell/proofs/proof-data'
import { type LeafChange, type Sibling, SumTree } from '@clearwell/proofs/sum-tree'
import { dataKey } from './data-key.ts'

/** Leaves that are remembered for earlier headers, about 100 bytes each. */
const MAX_REMEMBERED = 100_000
const BLOCKS_PER_PAGE = 50

/** The stored proof data of one header. */
export interface DataBlock {
  readonly number: bigint
  readonly quarter: string
  /** Base64. */
  readonly block: string
}

/** A leaf as the tree has it, and its path, in the order of the assets. */
export interface PlacePath {
  readonly leaf: Sibling
  readonly path: readonly Sibling[]
}

interface Step {
  readonly number: bigint
  /** The header before. */
  readonly before: bigint
  /** By asset: the leaves as they were before this header. */
  readonly leaves: readonly (readonly LeafChange[])[]
}

/**
 * The users trees as of a header, built from the stored proof data alone. So every server can prove a leaf, also one that makes no
 * headers. The trees follow the headers forward; the last changes are remembered, so that a header before is proven too.
 */
export class PathTrees {
  readonly #secret: Buffer
  readonly #trees = ASSET_IDS.map(() => new SumTree())
  readonly #steps: Step[] = []
  #remembered = 0
  #number = 0n

  constructor(secret: Buffer) {
    this.#secret = secret
  }

  /** The header that the trees have followed to. */
  get number(): bigint {
    return this.#number
  }

  /** Adds the next blocks. A block that is already in the trees changes nothing. */
  add(blocks: readonly DataBlock[]): void {
    for (const { number, quarter, block } of blocks) {
      if (number <= this.#number) continue
      const { records } = openRecords(dataKey(this.#secret, quarter), Buffer.from(block, 'base64'))
      const changes: LeafChange[][] = ASSET_IDS.map(() => [])
      for (const { asset, place, hash, sum } of records)
        changes[asset]?.push({ place, hash: Buffer.from(hash.slice(2), 'hex'), sum })
      this.#remember({ number, before: this.#number, leaves: this.#set(changes) })
      this.#number = number
    }
  }

  /** Returns the leaf and the path of a place in each tree; `undefined` if the header is too old to be remembered. */
  pathsAt(number: bigint, place: number): PlacePath[] | undefined {
    const undone = this.#steps.filter((step) => step.number > number).reverse()
    if ((undone.at(-1)?.before ?? this.#number) !== number) return undefined
    const redo = undone.map(({ leaves }) => this.#set(leaves))
    try {
      return this.#trees.map((tree) => ({ leaf: tree.leaf(place), path: tree.path(place) }))
    } finally {
      for (const leaves of redo.reverse()) this.#set(leaves)
    }
  }

  /** Sets leaves in each tree, and returns those that were there. */
  #set(changes: Step['leaves']): LeafChange[][] {
    return this.#trees.map((tree, asset) => {
      const of = changes[asset] ?? []
      const before = of.map(({ place }) => ({ place, ...tree.leaf(place) }))
      tree.set(of)
      return before
    })
  }

  #remember(step: Step): void {
    this.#steps.push(step)
    this.#remembered += countLeaves(step)
    while (this.#remembered > MAX_REMEMBERED) {
      const forgotten = this.#steps.shift()
      if (!forgotten) return
      this.#remembered -= countLeaves(forgotten)
    }
  }
}

const countLeaves = ({ leaves }: Step): number => leaves.reduce((sum, each) => sum + each.length, 1)

/** Reads the proof data after one header and up to another, a page at a time. */
export async function* readBlocks(
  db: Queryable,
  { after, to }: { readonly after: bigint; readonly to: bigint },
): AsyncGenerator<DataBlock[]> {
  for (let last = after; ; ) {
    const blocks = await db.query<DataBlock>(
      'select number, quarter, block from proof_data where number > $1 and number <= $2 order by number limit $3',
      [last.toString(), to.toString(), BLOCKS_PER_PAGE],
    )
    const end = blocks.at(-1)
    if (!end) return
    yield blocks
    last = end.number
  }
}

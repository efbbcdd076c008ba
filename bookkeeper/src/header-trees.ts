import type { HeaderFields } from './ledger-lines.ts'
import type { Base, BaseLeaf } from './open-exits.ts'
import type { TreeLeaf, TreeTop, UsersTree } from './users-tree.ts'

interface Kept {
  readonly hash: string
  readonly cursorBlock: bigint
  readonly cursorTime: number
  readonly tops: ReadonlyMap<string, TreeTop>
  /** Leaves that have changed since the kept header before. */
  readonly changed: number
}

/** A header can be posted until two hours after its block, and an hour later its post is behind the cursor. In seconds. */
const POSTABLE_S = 3 * 3_600
/** Leaves that may differ among the headers in memory. */
const MAX_CHANGED = 200_000
const RT = 'RT'

/** The trees of the headers that can still be posted, and of the one that was posted last. They share what is the same. */
export class HeaderTrees {
  readonly #trees: ReadonlyMap<string, UsersTree>
  readonly #kept = new Map<string, Kept>()
  #posted: string | undefined
  #changed = 0

  constructor(trees: ReadonlyMap<string, UsersTree>) {
    this.#trees = trees
  }

  /** Keeps the trees as they are now. @param header was found to be right */
  add({ number, cursorBlock, cursorTime }: HeaderFields, hash: string, changed: number): void {
    const tops = new Map(
      [...this.#trees].flatMap(([asset, tree]) => (asset === RT ? [] : [[asset, tree.top] as const])),
    )
    this.#kept.set(number, { hash, cursorBlock: BigInt(cursorBlock), cursorTime, tops, changed })
    this.#changed += changed
    for (const [oldest, kept] of this.#kept) {
      if (kept.cursorTime > cursorTime - POSTABLE_S && this.#changed <= MAX_CHANGED) return
      if (oldest === this.#posted) continue
      this.#kept.delete(oldest)
      this.#changed -= kept.changed
    }
  }

  /** Keeps the trees of a posted header until the next one is posted: an exit that is requested then may be paid under it. */
  notePost(number: string): void {
    this.#posted = number
  }

  /** Reads an account's leaves in a header that is posted. @param place absent: the account has none yet */
  find(
    { seq, number, hash }: { readonly seq: number; readonly number: string; readonly hash: string },
    place: number | undefined,
  ): Base | undefined {
    const kept = this.#kept.get(number)
    if (kept?.hash !== hash) return undefined
    const leaves = [...kept.tops].map(([asset, top]) => [asset, this.#leafOf(asset, top, place)] as const)
    return { seq, cursorBlock: kept.cursorBlock, leaves: new Map(leaves) }
  }

  #leafOf(asset: string, top: TreeTop, place: number | undefined): BaseLeaf {
    const leaf = place === undefined ? undefined : this.#trees.get(asset)?.pathIn(top, place).leaf
    if (!leaf || !('paidSeen' in leaf)) return { free: 0n, depositedSeen: 0n, paidSeen: 0n }
    const { sum: free, depositedSeen, paidSeen } = leaf as TreeLeaf
    return { free, depositedSeen, paidSeen }
  }
}

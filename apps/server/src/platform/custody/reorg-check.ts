import type { Chain, ChainBlock } from '../chain/chain.ts'
import type { Report } from '../log/report.ts'

/** Identifies a block by its number and by its hash when it was read. */
export type BlockRef = Pick<ChainBlock, 'number' | 'hash'>

/** True if the chain has all of these blocks now. False as well if two of them have one number and different hashes. */
export async function hasBlocks(chain: Pick<Chain, 'block'>, blocks: readonly BlockRef[]): Promise<boolean> {
  const hashes = new Map<bigint, string>()
  for (const { number, hash } of blocks) {
    if ((hashes.get(number) ?? hash) !== hash) return false
    hashes.set(number, hash)
  }
  // In parallel, so that any number of blocks costs one request.
  const now = await Promise.all([...hashes.keys()].map((number) => chain.block(number)))
  return [...hashes.values()].every((hash, index) => now[index]?.hash === hash)
}

/** Looks in a row that must find another block: one alone may come from a node that is on a fork for a moment. */
const HALTING_LOOKS = 2

/** Checks that the chain still has the block that the watcher read last. */
export interface CursorCheck {
  /**
   * False if another block replaced it, or if it is missing for now. The second look in a row that finds another block halts
   * the watcher, until an operator moves the cursor.
   */
  holds(cursor: BlockRef): Promise<boolean>
  /** Set while the watcher must not book: the chain has lost a block whose payments were credited. */
  readonly halted: string | undefined
}

export function createCursorCheck(chain: Pick<Chain, 'block'>, onError: Report): CursorCheck {
  let halted: { readonly reason: string; readonly at: string } | undefined
  let differingLooks = 0
  let isChainShort = false
  return {
    get halted() {
      return halted?.reason
    },
    async holds(cursor) {
      if (halted?.at === cursor.hash) return false
      halted = undefined
      const block = await chain.block(cursor.number)
      if (block?.hash === cursor.hash) {
        isChainShort = false
        differingLooks = 0
        return true
      }
      if (block) {
        differingLooks++
        if (differingLooks < HALTING_LOOKS) return false
        differingLooks = 0
        const reason = `block ${cursor.number} was ${cursor.hash} when it was credited, and is not any more`
        halted = { reason, at: cursor.hash }
        onError(new Error(reason), 'watcher halted')
      } else if (!isChainShort) {
        // Another node may have responded before, and this one lags: no proof of a reorg, so wait.
        isChainShort = true
        onError(new Error(`the chain has no block ${cursor.number} now, although it was read before`), 'watcher')
      }
      return false
    },
  }
}

import type { Chain, ChainBlock } from '../chain/chain.ts'

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

/** Checks that the chain still has the block that the watcher read last. */
export interface CursorCheck {
  /** False if another block replaced it, which halts the watcher permanently, or if it is missing for now. */
  holds(cursor: BlockRef): Promise<boolean>
  /** Set once the watcher must stop booking: the chain has lost a block whose payments were credited. */
  readonly halted: string | undefined
}

export function createCursorCheck(
  chain: Pick<Chain, 'block'>,
  onError: (error: unknown, doing: string) => void,
): CursorCheck {
  let halted: string | undefined
  let isChainShort = false
  return {
    get halted() {
      return halted
    },
    async holds(cursor) {
      const block = await chain.block(cursor.number)
      if (block?.hash === cursor.hash) {
        isChainShort = false
        return true
      }
      if (block) {
        halted = `block ${cursor.number} was ${cursor.hash} when it was credited, and is not any more`
        onError(new Error(halted), 'watcher halted')
      } else if (!isChainShort) {
        // Another node may have responded before, and this one lags: no proof of a reorg, so wait.
        isChainShort = true
        onError(new Error(`the chain has no block ${cursor.number} now, although it was read before`), 'watcher')
      }
      return false
    },
  }
}

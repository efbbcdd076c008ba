import type { Chain, ChainBlock } from '../chain/chain.ts'

/** A block as something refers to it: by its number, and by the hash that it had when it was read. */
export type BlockRef = Pick<ChainBlock, 'number' | 'hash'>

/** Whether the chain has all of these blocks now. False as well if they name two hashes for one number. */
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
  /** False if it has another block there, which halts the watcher for good, or none, which it waits out. */
  holds(cursor: BlockRef): Promise<boolean>
  /** Why the watcher must book nothing any more, if so: the chain no longer has a block whose payments were credited. */
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
        // A node that lags behind the one that replied before: no proof of a reorg, so wait for it.
        isChainShort = true
        onError(new Error(`the chain has no block ${cursor.number} now, which was read before`), 'watcher')
      }
      return false
    },
  }
}

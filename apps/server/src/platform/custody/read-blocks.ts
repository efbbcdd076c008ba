import type { Chain, ChainBlock, ChainMovements } from '../chain/chain.ts'
import { ChainBehind } from '../chain/chain-fault.ts'
import type { UnconfirmedMovements } from './pending-movements.ts'
import { type BlockRef, hasBlocks } from './reorg-check.ts'
import { selectMovements } from './unconfirmed.ts'

/** The most blocks that one request to the node covers. */
const MAX_RANGE = 2_000n

/** The movements in the blocks after the cursor. */
export interface Reading {
  readonly unconfirmed: UnconfirmedMovements
  readonly confirmed: ChainMovements
  /** The last confirmed block that was read, or `undefined` if none is new. */
  readonly next: ChainBlock | undefined
  /** True if the chain has more blocks than were read. */
  readonly isBehind: boolean
}

/**
 * Reads the blocks after the cursor, at most {@link MAX_RANGE} of them.
 *
 * @param startBlock the first block to read without a cursor.
 * @throws ChainBehind when the chain's head is below the cursor.
 */
export async function readBlocks(
  { chain, confirmations, startBlock }: { chain: Chain; confirmations: number; startBlock: bigint },
  cursor: BlockRef | undefined,
): Promise<Reading> {
  const head = await chain.head()
  // The cursor's block was confirmed when it was read, so this head is of a node that lags behind the one that was asked before.
  if (cursor && head.number < cursor.number)
    throw new ChainBehind(`the node is at block ${head.number}, and block ${cursor.number} was read before`)
  const from = cursor ? cursor.number + 1n : startBlock
  if (head.number < from) {
    return {
      unconfirmed: { head: head.number, ...NO_MOVEMENTS },
      confirmed: NO_MOVEMENTS,
      next: undefined,
      isBehind: false,
    }
  }
  const to = lower(head.number, from + MAX_RANGE - 1n)
  const confirmedTo = lower(head.number - BigInt(confirmations) + 1n, to)
  // Read before the movements and checked again after them, see `isOneFork`.
  const next = confirmedTo < from ? undefined : await chain.block(confirmedTo)
  const found = await chain.movements({ from, to })
  return {
    unconfirmed: {
      head: head.number,
      ...selectMovements(found, (movement) => movement.blockNumber > confirmedTo),
    },
    confirmed: selectMovements(found, (movement) => movement.blockNumber <= confirmedTo),
    next,
    isBehind: to < head.number,
  }
}

/**
 * Checks that the chain still has the blocks of all confirmed movements. The last block was read before the movements: if
 * it is still there afterwards, all three responses are from one fork, and no payment is missed.
 */
export function isOneFork(
  chain: Chain,
  next: ChainBlock,
  { deposits, withdrawals, exits = [] }: ChainMovements,
): Promise<boolean> {
  const blocks = [...deposits, ...withdrawals, ...exits].map(({ blockNumber, blockHash }) => ({
    number: blockNumber,
    hash: blockHash,
  }))
  return hasBlocks(chain, [next, ...blocks])
}

const NO_MOVEMENTS: ChainMovements = { deposits: [], withdrawals: [] }

function lower(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

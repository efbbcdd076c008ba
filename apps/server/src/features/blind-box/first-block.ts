import type { Chain, ChainBlock } from '../../platform/chain/chain.ts'

/**
 * Finds the first block whose time is at or after a moment, and the block before it.
 *
 * @param confirmations blocks that must follow it.
 * @returns `undefined` until there is one with enough confirmations.
 */
export async function firstBlockAt(
  chain: Pick<Chain, 'head' | 'block'>,
  time: Date,
  confirmations: number,
): Promise<{ readonly block: ChainBlock; readonly previous: ChainBlock } | undefined> {
  const head = await chain.head()
  if (head.time < time) return undefined
  const read = async (number: bigint) => {
    const block = await chain.block(number)
    if (!block) throw new Error(`the chain's node has no block ${number}`)
    return block
  }
  let [block, previous, span] = [head, await read(before(head, 1n)), 1n]
  // Doubles its steps back until it passes the moment, then halves them.
  while (previous.time >= time && previous.number > 0n) {
    span *= 2n
    ;[block, previous] = [previous, await read(before(previous, span))]
  }
  while (block.number - previous.number > 1n) {
    const middle = await read((block.number + previous.number) / 2n)
    if (middle.time >= time) block = middle
    else previous = middle
  }
  return block.number + BigInt(confirmations) <= head.number ? { block, previous } : undefined
}

function before({ number }: ChainBlock, span: bigint): bigint {
  return number > span ? number - span : 0n
}

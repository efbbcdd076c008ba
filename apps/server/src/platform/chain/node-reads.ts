import { numberToHex, type PublicClient } from 'viem'
import type { ChainBlock } from './chain.ts'
import { ChainBehind, ChainFault } from './chain-fault.ts'
import { fieldsOf, hexOf, quantityOf } from './check-logs.ts'

/** Validators may set a block's time a little ahead, and this server's clock may be late. */
const MAX_AHEAD_MS = 120_000
/** How often a reply that changes between two questions is asked for again before it counts as a lie. */
const ATTEMPTS = 3

export type NodeReads = ReturnType<typeof createNodeReads>

/**
 * A node's replies about blocks, checked against each other, the chain's number and the clock.
 *
 * @param now the clock that block times are compared with; absent where the chain's time is its own, as a local one's is.
 */
export function createNodeReads(client: PublicClient, id: number, now: (() => Date) | undefined) {
  const ask = (method: string, params: readonly unknown[]) =>
    client.request({ method, params } as never) as Promise<unknown>

  /** Asks and checks that the same chain replies. Asked together, all replies are of one node. */
  async function asking<Answers extends readonly unknown[]>(
    ...questions: { [Index in keyof Answers]: Promise<Answers[Index]> }
  ): Promise<Answers> {
    const [chainId, ...answers] = await Promise.all([ask('eth_chainId', []), ...questions])
    const told = quantityOf(chainId, 'a chain id')
    if (told !== BigInt(id)) throw new ChainFault('wrong_chain', `the node answers for chain ${told}, not ${id}`)
    return answers as unknown as Answers
  }

  const askBlock = (number: bigint) => ask('eth_getBlockByNumber', [numberToHex(number), false])
  const blockAt = (number: bigint, answer: unknown) => blockOfNumber(number, answer, now)

  /** The first of these blocks that the chain has another of. @throws ChainBehind when the node has none there. */
  async function replacedAmong(blocks: ReadonlyMap<bigint, string>): Promise<bigint | undefined> {
    const numbers = [...blocks.keys()]
    const answers = await Promise.all(numbers.map(askBlock))
    for (const [index, number] of numbers.entries()) {
      const block = blockAt(number, answers[index])
      if (!block) throw behind(number)
      if (block.hash !== blocks.get(number)) return number
    }
    return undefined
  }

  /** Reads again while a reorg gets in between two replies. */
  async function untilCanonical<Answer>(
    read: () => Promise<{ answer: Answer; blocks: ReadonlyMap<bigint, string> }>,
  ): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const { answer, blocks } = await read()
      const replaced = await replacedAmong(blocks)
      if (replaced === undefined) return answer
      if (attempt === ATTEMPTS) {
        throw new ChainFault('not_canonical', `the node tells of a block ${replaced} that its chain does not hold`)
      }
    }
  }

  return { ask, asking, askBlock, blockAt, blockOf: (answer: unknown) => blockOf(answer, now), untilCanonical }
}

/** @throws ChainFault when it is no block, or one of the future. */
function blockOf(answer: unknown, now: (() => Date) | undefined): ChainBlock {
  const block = fieldsOf(answer, 'a block')
  const number = quantityOf(block.number, 'the number of a block')
  const seconds = quantityOf(block.timestamp, 'the time of a block')
  // A Date cannot hold a later time.
  if (seconds > 8_000_000_000_000n) throw new ChainFault('future_block', `block ${number} is of second ${seconds}`)
  const time = new Date(Number(seconds) * 1_000)
  if (now && time.getTime() > now().getTime() + MAX_AHEAD_MS) {
    throw new ChainFault('future_block', `block ${number} is of ${time.toISOString()}, which is yet to come`)
  }
  return { number, hash: hexOf(block.hash, 32, 'the hash of a block'), time }
}

function blockOfNumber(number: bigint, answer: unknown, now: (() => Date) | undefined): ChainBlock | undefined {
  if (answer === null) return undefined
  const block = blockOf(answer, now)
  if (block.number !== number) {
    throw new ChainFault('not_asked', `the node answered block ${block.number} for block ${number}`)
  }
  return block
}

export function behind(number: bigint): ChainBehind {
  return new ChainBehind(`the node has no block ${number} yet`)
}

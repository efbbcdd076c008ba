import { numberToHex, type PublicClient } from 'viem'
import type { ChainBlock } from './chain.ts'
import { ChainBehind, ChainFault } from './chain-fault.ts'
import { fieldsOf, hexOf, quantityOf } from './check-logs.ts'

/** Validators may set a block's time a little ahead, and this server's clock may be late. */
const MAX_AHEAD_MS = 120_000
/** Attempts to read responses that fit together, before a difference counts as a fault of the node. */
const ATTEMPTS = 3

export type NodeReads = ReturnType<typeof createNodeReads>

/**
 * Reads blocks from a node and checks the responses against each other, the chain's number and the clock.
 *
 * @param now the clock that block times are compared with; absent for a local chain, whose time is its own.
 */
export function createNodeReads(client: PublicClient, id: number, now: (() => Date) | undefined) {
  const ask = (method: string, params: readonly unknown[]) =>
    client.request({ method, params } as never) as Promise<unknown>

  /** Sends the requests together, so that one node serves all of them, and checks which chain responds. */
  async function asking<Results extends readonly unknown[]>(
    ...questions: { [Index in keyof Results]: Promise<Results[Index]> }
  ): Promise<Results> {
    const [chainId, ...responses] = await Promise.all([ask('eth_chainId', []), ...questions])
    const respondingId = quantityOf(chainId, 'a chain id')
    if (respondingId !== BigInt(id))
      throw new ChainFault('wrong_chain', `the node serves chain ${respondingId}, not ${id}`)
    return responses as unknown as Results
  }

  const askBlock = (number: bigint) => ask('eth_getBlockByNumber', [numberToHex(number), false])
  const blockAt = (number: bigint, response: unknown) => blockOfNumber(number, response, now)

  /** Finds the first of these blocks that the chain has replaced. @throws ChainBehind when the node lacks one. */
  async function replacedAmong(blocks: ReadonlyMap<bigint, string>): Promise<bigint | undefined> {
    const numbers = [...blocks.keys()]
    const responses = await Promise.all(numbers.map(askBlock))
    for (const [index, number] of numbers.entries()) {
      const block = blockAt(number, responses[index])
      if (!block) throw behind(number)
      if (block.hash !== blocks.get(number)) return number
    }
    return undefined
  }

  /** Retries while a reorg happens between two responses. */
  async function untilCanonical<Result>(
    read: () => Promise<{ response: Result; blocks: ReadonlyMap<bigint, string> }>,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      const { response, blocks } = await read()
      const replaced = await replacedAmong(blocks)
      if (replaced === undefined) return response
      if (attempt === ATTEMPTS) {
        throw new ChainFault('not_canonical', `the node names a block ${replaced} that is not on its chain`)
      }
    }
  }

  return { ask, asking, askBlock, blockAt, blockOf: (response: unknown) => blockOf(response, now), untilCanonical }
}

/** @throws ChainFault for a malformed block, or one with a time in the future. */
function blockOf(response: unknown, now: (() => Date) | undefined): ChainBlock {
  const block = fieldsOf(response, 'a block')
  const number = quantityOf(block.number, 'the number of a block')
  const seconds = quantityOf(block.timestamp, 'the time of a block')
  // The latest time that a Date can hold.
  if (seconds > 8_000_000_000_000n) throw new ChainFault('future_block', `block ${number} is of second ${seconds}`)
  const time = new Date(Number(seconds) * 1_000)
  if (now && time.getTime() > now().getTime() + MAX_AHEAD_MS) {
    throw new ChainFault('future_block', `block ${number} has the time ${time.toISOString()}, which is in the future`)
  }
  return { number, hash: hexOf(block.hash, 32, 'the hash of a block'), time }
}

function blockOfNumber(number: bigint, response: unknown, now: (() => Date) | undefined): ChainBlock | undefined {
  if (response === null) return undefined
  const block = blockOf(response, now)
  if (block.number !== number) {
    throw new ChainFault('not_asked', `the node returned block ${block.number} for block ${number}`)
  }
  return block
}

export function behind(number: bigint): ChainBehind {
  return new ChainBehind(`the node has no block ${number} yet`)
}

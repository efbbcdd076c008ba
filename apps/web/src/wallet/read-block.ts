import { createClient } from 'viem'
import { getBlock } from 'viem/actions'
import { RPC_LIMITS, rpcTransport } from './transport.ts'

/** The patience with a node while a user waits for it. */
const LIMITS = { ...RPC_LIMITS, timeoutMs: 5_000, retryCount: 1 }

/** A block of the chain, and the time of the one before it. */
export interface BlockReading {
  readonly hash: string
  /** ISO 8601. */
  readonly time: string
  readonly previous_time: string
}

/**
 * Reads a block from a node of the chain, without a wallet and without Clearwell's server.
 *
 * @throws Error if the node does not respond, or has no such block.
 */
export async function readBlock(rpcUrl: string, number: number): Promise<BlockReading> {
  const client = createClient({ transport: rpcTransport(rpcUrl, LIMITS) })
  const [block, previous] = await Promise.all([
    getBlock(client, { blockNumber: BigInt(number) }),
    getBlock(client, { blockNumber: BigInt(number) - 1n }),
  ])
  return { hash: block.hash, time: timeOf(block.timestamp), previous_time: timeOf(previous.timestamp) }
}

function timeOf(seconds: bigint): string {
  return new Date(Number(seconds) * 1_000).toISOString()
}

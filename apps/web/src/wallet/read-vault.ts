import { formatUnits } from '@clearwell/money/decimal'
import { type Address, BaseError, createClient, erc20Abi, HttpRequestError, TimeoutError } from 'viem'
import { getBalance, getBlock, readContract } from 'viem/actions'
import type { Config } from '../api/config.ts'
import { RPC_LIMITS, rpcTransport } from './transport.ts'

/** The patience with a node while a user waits for it: about 10 s in all. */
const LIMITS = { ...RPC_LIMITS, timeoutMs: 5_000, retryCount: 1 }

/** The vault's balances as a node of the chain reports them. */
export interface VaultReading {
  /** The hash of the node's block at the requested height; `null` if the node has no such block. */
  readonly blockHash: string | null
  /** The block after which the balances were read: the requested one, or the node's latest. */
  readonly readAt: number
  /** Plain decimal text by asset. */
  readonly balances: Readonly<Record<string, string>>
}

/**
 * Reads the vault's balances from the chain, without a wallet and without Clearwell's server.
 *
 * A node keeps the state of old blocks only for a while. If it no longer has that of `block`, the balances are those of its
 * latest block, and `readAt` says so.
 *
 * @param block the height to read at.
 * @throws Error if the node sends no usable response.
 */
export async function readVault({
  rpcUrl,
  vault,
  assets,
  block,
}: {
  readonly rpcUrl: string
  readonly vault: string
  readonly assets: Config['assets']
  readonly block: number
}): Promise<VaultReading> {
  const client = createClient({ transport: rpcTransport(rpcUrl, LIMITS) })
  const held = assets.filter(({ kind }) => kind !== 'ledger')

  async function readAll(blockNumber: bigint): Promise<Record<string, string>> {
    const read = held.map(async ({ asset, address, decimals }) => {
      const units =
        address === null
          ? await getBalance(client, { address: vault as Address, blockNumber })
          : await readContract(client, {
              address: address as Address,
              abi: erc20Abi,
              functionName: 'balanceOf',
              args: [vault as Address],
              blockNumber,
            })
      return [asset, formatUnits(units, decimals)] as const
    })
    return Object.fromEntries(await Promise.all(read))
  }

  // Sent together, so in one request.
  const [found, named] = await Promise.allSettled([
    getBlock(client, { blockNumber: BigInt(block) }),
    readAll(BigInt(block)),
  ])
  for (const result of [found, named]) if (isSilence(result)) throw result.reason
  if (named.status === 'fulfilled') {
    // Balances of a block that the node does not show could be those of any block.
    if (found.status === 'rejected') throw found.reason
    return { blockHash: found.value.hash, readAt: block, balances: named.value }
  }
  const blockHash = found.status === 'fulfilled' ? found.value.hash : null
  const latest = await getBlock(client)
  return { blockHash, readAt: Number(latest.number), balances: await readAll(latest.number) }
}

/** True if the node did not respond, unlike one that responds that it has no such block or state. */
function isSilence(result: PromiseSettledResult<unknown>): result is PromiseRejectedResult {
  if (result.status === 'fulfilled') return false
  const { reason } = result
  const isTransport = (error: unknown) => error instanceof HttpRequestError || error instanceof TimeoutError
  return reason instanceof BaseError ? reason.walk(isTransport) !== null : true
}

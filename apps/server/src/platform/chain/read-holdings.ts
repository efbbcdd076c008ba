import type { PublicClient } from 'viem'
import type { Custody } from './chain.ts'
import { createRpcChain } from './rpc-chain.ts'

const ASSETS = ['BNB', 'USDT', 'ETH'] as const

/** Reads the amounts that a vault holds after a block, in Clearwell's decimals: the ledger's or one that it has left. */
export async function readHoldings(
  client: PublicClient,
  { chainId, custody, vault }: { readonly chainId: number; readonly custody: Custody; readonly vault: `0x${string}` },
  block: bigint,
): Promise<{ asset: (typeof ASSETS)[number]; units: bigint }[]> {
  const { vaultHolding } = createRpcChain(client, chainId, { ...custody, vault, replacedVaults: [] })
  return Promise.all(ASSETS.map(async (asset) => ({ asset, units: await vaultHolding(asset, block) })))
}

import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import type { PublicClient } from 'viem'

/** The newest root of a vault with exits. */
export interface NewestRoot {
  /** The number of its header. */
  readonly number: bigint
  readonly cursorBlock: bigint
  readonly postedAt: Date
  /** Counts the posts. */
  readonly seq: number
}

/** Reads when an account asked for the exit that is open after a block; `undefined` if none is. */
export async function readExitAt(
  client: Pick<PublicClient, 'readContract'>,
  vault: `0x${string}`,
  { account, block }: { readonly account: string; readonly block: bigint },
): Promise<Date | undefined> {
  const args = [account as `0x${string}`] as const
  const call = { address: vault, abi: exitVaultAbi, functionName: 'accountOf', args, blockNumber: block } as const
  const { exitAt } = await client.readContract(call)
  return exitAt === 0 ? undefined : new Date(exitAt * 1_000)
}

/** Reads the newest root that is not dropped; `undefined` before the first. */
export async function readNewestRoot(
  client: Pick<PublicClient, 'readContract'>,
  vault: `0x${string}`,
): Promise<NewestRoot | undefined> {
  const call = { address: vault, abi: exitVaultAbi, functionName: 'newestRoot' } as const
  const { number, cursorBlock, postedAt, seq } = await client.readContract(call)
  if (seq === 0) return undefined
  return { number, cursorBlock, postedAt: new Date(postedAt * 1_000), seq }
}

import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { createPublicClient, type Hex, http } from 'viem'
import { blockKey } from './proof-records.ts'
import { readKeySettings } from './settings.ts'

/** No ledger has proof data of an earlier quarter. */
const FIRST = { year: 2026, quarter: 4 }

/** The keys of the proof data as they are published, with the vault that they belong to. */
interface PublishedKeys {
  readonly format: 'clearwell data keys 1'
  readonly chainId: number
  readonly vault: string
  /** By quarter. */
  readonly keys: Readonly<Record<string, Hex>>
}

/**
 * Derives the keys of all quarters up to the vault's last root. Needs the secret, the vault and a node, and neither the store nor a server.
 *
 * @throws Error while the vault has not ended by this node: until then a key would show every balance to its reader.
 */
export async function publishKeys(variables: Readonly<Record<string, string | undefined>>): Promise<PublishedKeys> {
  const { vault, rpcUrl, dataSecret } = readKeySettings(variables)
  const client = createPublicClient({ transport: http(rpcUrl) })
  const contract = { address: vault, abi: exitVaultAbi } as const
  const { endedAt } = await client.readContract({ ...contract, functionName: 'closing' })
  if (endedAt === 0) throw new Error(`the vault ${vault} has not ended, so its keys stay secret`)
  const { postedAt } = await client.readContract({ ...contract, functionName: 'newestRoot' })
  const keys = quartersUpTo(new Date(1_000 * postedAt)).map((quarter) => [
    quarter,
    `0x${blockKey(dataSecret, quarter).toString('hex')}`,
  ])
  const chainId = await client.getChainId()
  return { format: 'clearwell data keys 1', chainId, vault: vault.toLowerCase(), keys: Object.fromEntries(keys) }
}

function quartersUpTo(last: Date): string[] {
  const end = 4 * last.getUTCFullYear() + Math.floor(last.getUTCMonth() / 3)
  const start = 4 * FIRST.year + FIRST.quarter - 1
  return Array.from({ length: Math.max(0, end - start + 1) }, (_, i) => {
    const at = start + i
    return `${Math.floor(at / 4)}Q${(at % 4) + 1}`
  })
}

import type { Queryable } from '@clearwell/ledger/database'
import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import type { Hex, PublicClient } from 'viem'
import { dataKey } from '../domain/proofs/data-key.ts'
import { failure, type OperatorCommand } from './command.ts'
import { withConfiguredVault, withLedger } from './open-books.ts'

/** The keys as they are published after the end, with the vault that they belong to. Everyone's paths follow from it and the proof data. */
interface PublishedKeys {
  readonly format: 'clearwell data keys 1'
  readonly chainId: number
  readonly vault: string
  /** By quarter. */
  readonly keys: Readonly<Record<string, Hex>>
}

interface KeySource {
  readonly client: Pick<PublicClient, 'readContract'>
  readonly db: Queryable
  readonly chainId: number
  readonly vault: Hex
  readonly dataSecret: Buffer
}

/** Derives the keys of the proof data up to the vault's last root; `undefined` while the vault has not ended. */
export async function publishKeys({
  client,
  db,
  chainId,
  vault,
  dataSecret,
}: KeySource): Promise<PublishedKeys | undefined> {
  const contract = { address: vault, abi: exitVaultAbi } as const
  const { endedAt } = await client.readContract({ ...contract, functionName: 'closing' })
  if (endedAt === 0) return undefined
  const { number } = await client.readContract({ ...contract, functionName: 'newestRoot' })
  const rows = await db.query<{ quarter: string }>(
    'select distinct quarter from proof_data where number <= $1 order by quarter',
    [`${number}`],
  )
  const keys = rows.map(({ quarter }) => [quarter, `0x${dataKey(dataSecret, quarter).toString('hex')}`])
  return { format: 'clearwell data keys 1', chainId, vault: vault.toLowerCase(), keys: Object.fromEntries(keys) }
}

export const proofKeys: OperatorCommand = {
  about:
    'prints the keys of the proof data once the vault with exits has ended, checked on the node: publish them, so that everyone can build a path. Exit code 1 and no key before',
  async run() {
    return withLedger((config, db) =>
      withConfiguredVault(
        config,
        db,
        () => {},
        async ({ custody, client }) => {
          const { proofDataKey } = config.env
          if (!proofDataKey) return failure('PROOF_DATA_KEY is missing: without it there is no key to publish.')
          if (config.env.vaultKind !== 'exits') return failure('Only a vault with exits has an end.')
          const of = { chainId: config.chain.id, vault: custody.vault, dataSecret: Buffer.from(proofDataKey) }
          const published = await publishKeys({ client, db, ...of })
          if (!published) return failure(`The vault ${custody.vault} has not ended, so its keys stay secret.`)
          return { text: JSON.stringify(published, null, 2), faults: [], exitCode: 0 }
        },
      ),
    )
  },
}

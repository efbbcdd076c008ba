import { type Command, write } from '@clearwell/ledger/command'
import type { Database } from '@clearwell/ledger/database'
import { column, defineTable } from '@clearwell/ledger/table'
import type { Writer } from '@clearwell/ledger/writer'
import { ConfigError } from '../../config/config-error.ts'

/** The vault that the watcher reads on each chain. */
const watchedVaults = defineTable('watched_vaults', {
  /** The chain's number. */
  id: column.text,
  /** In lower case. */
  vault: column.text,
  since: column.time,
})

/**
 * Binds the ledger to its vault at the first start, and refuses another one later: the cursor would skip the deposits that
 * the new vault received before, and the money of the earlier vault would be missing.
 *
 * @throws ConfigError with one sentence that names both vaults.
 */
export async function refuseReplacedVault(
  { db, writer }: { db: Database; writer: Pick<Writer, 'isWriting' | 'execute'> },
  { chainId, vault }: { chainId: number; vault: string },
): Promise<void> {
  const configured = vault.toLowerCase()
  const known = writer.isWriting
    ? (await writer.execute(bindVault(String(chainId), configured))).vault
    : await readVault(db, String(chainId))
  if (known === undefined || known === configured) return
  throw new ConfigError(
    `The ledger belongs to the vault ${known} on chain ${chainId}, but chain.vault is ${configured}: set it back, or start the new vault with a new ledger.`,
  )
}

function bindVault(id: string, vault: string): Command<{ vault: string }> {
  return {
    kind: 'bind_vault',
    owner: 'genesis',
    payload: {},
    preload: [{ table: watchedVaults, id }],
    decide(state, { now }) {
      const row = state.row(watchedVaults, id)
      if (row) return { response: { vault: row.vault } }
      return { rows: [write(watchedVaults, { id, vault, since: now })], response: { vault } }
    },
  }
}

async function readVault(db: Database, id: string): Promise<string | undefined> {
  const [row] = await db.query<{ vault: string }>('select vault from watched_vaults where id = $1', [id])
  return row?.vault
}

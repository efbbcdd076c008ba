import { type Command, type State, write } from '@clearwell/ledger/command'
import type { Database, Queryable } from '@clearwell/ledger/database'
import { column, defineWriterTable, forever } from '@clearwell/ledger/table'
import type { Writer } from '@clearwell/ledger/writer'
import { ConfigError } from '../../config/config-error.ts'
import type { Custody } from '../chain/chain.ts'
import { refusal } from '../ledger/refuse.ts'
import { commandLine } from '../process/command-line.ts'

/** The vault that the watcher reads on each chain. */
export const watchedVaults = defineWriterTable('watched_vaults', forever('one row for each chain'), {
  /** The chain's number. */
  id: column.text,
  /** In lower case. */
  vault: column.text,
  since: column.time,
})

/** The vaults that the ledger has moved away from. */
export const replacedVaults = defineWriterTable(
  'replaced_vaults',
  forever('one row for each vault that was replaced'),
  {
    /** The chain's number and the vault. */
    id: column.text,
    chain_id: column.text,
    /** In lower case. */
    vault: column.text,
    replaced_at: column.time,
  },
)

/** The key of a replaced vault. @param vault in lower case. */
export function replacedVaultId(chainId: string, vault: string): string {
  return `${chainId}:${vault}`
}

/**
 * Binds the ledger to its vault at the first start, and refuses another one later: the cursor would skip the deposits that
 * the new vault received before, and the money of the earlier vault would be missing. An operator moves the ledger instead.
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
    : (await readWatchedVault(db, chainId))?.vault
  if (known === undefined || known === configured) return
  throw otherVault(known, { chainId, vault: configured })
}

/** The error of a configuration that names another vault than the ledger's. */
export function otherVault(known: string, { chainId, vault }: { chainId: number; vault: string }): ConfigError {
  return new ConfigError(
    `The ledger belongs to the vault ${known} on chain ${chainId}, but chain.vault is ${vault}: set it back, or move the ledger with \`${commandLine('operator')} vault move\`.`,
  )
}

/**
 * Refuses a command of a server that still reads a vault from which the ledger has moved away.
 *
 * @param vault in lower case.
 * @throws Refusal `conflict` with the reason {@link VAULT_REPLACED}.
 */
export function refuseOtherVault(state: State, chainId: string, vault: string): void {
  const row = state.row(watchedVaults, chainId)
  if (row && row.vault !== vault) throw refusal('conflict', { reason: VAULT_REPLACED })
}

export const VAULT_REPLACED = 'vault_replaced'

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

/** Reads the ledger's vault of a chain; `undefined` before the first start. */
export async function readWatchedVault(
  db: Queryable,
  chainId: number,
): Promise<{ readonly vault: `0x${string}`; readonly since: Date } | undefined> {
  const text = 'select vault, since from watched_vaults where id = $1'
  return (await db.query<{ vault: `0x${string}`; since: Date }>(text, [String(chainId)]))[0]
}

/** Reads the chain and the vault of the ledger; `undefined` before the first start. */
export async function readLedgerVault(
  db: Queryable,
): Promise<{ readonly chainId: string; readonly vault: `0x${string}` } | undefined> {
  const text = 'select id as "chainId", vault from watched_vaults order by since desc limit 1'
  return (await db.query<{ chainId: string; vault: `0x${string}` }>(text))[0]
}

/** Adds the vaults that the ledger has moved away from. A configured vault that the ledger is not at yet replaces its own. */
export async function withReplacedVaults(db: Queryable, chainId: number, custody: Custody): Promise<Custody> {
  const rows = await db.query<{ vault: `0x${string}` }>(
    'select vault from replaced_vaults where chain_id = $1 order by replaced_at',
    [String(chainId)],
  )
  const watched = await readWatchedVault(db, chainId)
  const known = [...rows.map(({ vault }) => vault), ...(watched ? [watched.vault] : [])]
  const replaced = known.filter((vault) => vault !== custody.vault.toLowerCase())
  if (replaced.length === 0 || !watched) return custody
  const isThere = watched.vault === custody.vault.toLowerCase()
  return { ...custody, replacedVaults: replaced, ...(isThere ? { movedAt: watched.since } : {}) }
}

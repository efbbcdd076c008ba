import type { Database } from '@clearwell/ledger/database'
import type { PublicClient } from 'viem'
import { ConfigError } from '../config/config-error.ts'
import { type Environment, inspectEnvironment, missingVariables } from '../config/environment.ts'
import { type Config, loadOwnConfig } from '../load-config.ts'
import type { Chain, Custody } from '../platform/chain/chain.ts'
import { connectChain } from '../platform/chain/connect-chain.ts'
import { openChain } from '../platform/chain/open-chain.ts'
import { otherVault, readWatchedVault, withReplacedVaults } from '../platform/custody/watched-vault.ts'
import { DataFolderInUse, lockDataFolder } from '../platform/database/data-folder-lock.ts'
import { openDatabase } from '../platform/database/open-database.ts'
import type { Ending } from '../platform/process/endings.ts'
import { signerAccount } from '../platform/signer/open-signer.ts'

/**
 * Opens the ledger for a command that needs the whole configuration, with the keys of a server: beside a running server on PostgreSQL,
 * and on PGlite only while no server runs.
 *
 * @throws ConfigError, DataFolderInUse: one sentence for the operator.
 */
export async function withLedger<Result>(work: (config: Config, db: Database) => Promise<Result>): Promise<Result> {
  const config = await loadOwnConfig()
  return withDatabaseOf(config.env, (db) => work(config, db))
}

/**
 * The same for a command that needs the configuration file and the nodes, and no key of a server.
 *
 * @throws ConfigError, DataFolderInUse: one sentence for the operator.
 */
export async function withConfigFile<Result>(work: (config: Config, db: Database) => Promise<Result>): Promise<Result> {
  const config = await loadOwnConfig(['DATABASE_URL', 'CHAIN_RPC_URL'])
  return withDatabaseOf(config.env, (db) => work(config, db))
}

/**
 * The same for a command that needs none of the configuration but `DATABASE_URL`: it only reads, or a person signs what it changes
 * with `OPERATOR_KEY`.
 *
 * @throws ConfigError, DataFolderInUse: one sentence for the operator.
 */
export async function withDatabase<Result>(
  work: (db: Database, site: { readonly env: Environment }) => Promise<Result>,
): Promise<Result> {
  const { env, faults } = inspectEnvironment(process.env)
  const chainId = env.profile === 'production' ? 56 : undefined
  const fault = faults.get('DATABASE_URL') ?? missingVariables(env, chainId).get('DATABASE_URL')
  if (fault) throw new ConfigError(fault)
  return withDatabaseOf(env, (db) => work(db, { env }))
}

async function withDatabaseOf<Result>(env: Environment, work: (db: Database) => Promise<Result>): Promise<Result> {
  return ending(async (endings) => {
    if (!env.databaseUrl) endings.push({ what: 'data folder', end: await lockDataFolder(env.dataDir) })
    const db = await openDatabase(env, () => {})
    endings.push({ what: 'database', end: () => db.close() })
    return work(db)
  })
}

/**
 * Opens the chain beside the ledger. In the local profile it uses the running server's chain, or starts one as the server
 * would.
 *
 * @param onAlarm receives problems of the nodes that do not prevent reading.
 * @throws ConfigError also if the configuration names another vault than the ledger's.
 */
export async function withChain<Result>(
  config: Config,
  db: Database,
  onAlarm: (error: unknown) => void,
  work: (chain: Chain, custody: Custody) => Promise<Result>,
): Promise<Result> {
  return withConfiguredVault(config, db, onAlarm, async ({ chain, custody }) => {
    const { id: chainId } = config.chain
    const vault = custody.vault.toLowerCase()
    const known = (await readWatchedVault(db, chainId))?.vault
    if (known !== undefined && known !== vault) throw otherVault(known, { chainId, vault })
    return work(chain, custody)
  })
}

/** The chain as a command uses it, with the first node for calls that only this command makes. */
export interface OpenedChain {
  readonly chain: Chain
  readonly custody: Custody
  readonly client: PublicClient
}

/** The same, also if the configuration names another vault than the ledger's: for the command that moves the ledger. */
export async function withConfiguredVault<Result>(
  config: Config,
  db: Database,
  onAlarm: (error: unknown) => void,
  work: (opened: OpenedChain) => Promise<Result>,
): Promise<Result> {
  return ending(async (endings) => {
    const opened = await openChain(await besideServer(config, endings), db, endings, onAlarm)
    const custody = await withReplacedVaults(db, config.chain.id, opened.custody)
    const { rpcUrls } = opened
    const signer = signerAccount(config).address
    const connected = await connectChain(config, { rpcUrls, custody, signer, now: () => new Date(), onAlarm })
    const { chain, client, isAnswering } = connected
    if (!isAnswering) throw new ConfigError('The node at CHAIN_RPC_URL does not respond.')
    return work({ chain, custody, client })
  })
}

/** Points at the chain of a local server that runs on PostgreSQL: a second chain must not change its state. */
async function besideServer(config: Config, endings: Ending[]): Promise<Config> {
  const { env } = config
  if (env.profile !== 'local' || !env.databaseUrl) return config
  try {
    endings.push({ what: 'data folder', end: await lockDataFolder(env.dataDir) })
    return config
  } catch (error) {
    if (!(error instanceof DataFolderInUse)) throw error
    const chainRpcUrls = [env.chainRpcUrls[0] ?? `http://127.0.0.1:${env.chainPort}`]
    return { ...config, env: { ...env, chainRpcUrls } }
  }
}

/** Stops everything that `work` started, in reverse order, on success and on failure. */
async function ending<Result>(work: (endings: Ending[]) => Promise<Result>): Promise<Result> {
  const endings: Ending[] = []
  try {
    return await work(endings)
  } finally {
    for (const { end } of endings.reverse()) await end()
  }
}

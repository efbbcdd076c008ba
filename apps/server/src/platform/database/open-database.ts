import { join } from 'node:path'
import type { Database } from '@clearwell/ledger/database'
import { LEDGER_MIGRATIONS, migrate, NewerDatabase } from '@clearwell/ledger/migrate'
import { openPgliteDatabase } from '@clearwell/ledger/pglite-database'
import { openPostgresDatabase, PoolerFault } from '@clearwell/ledger/postgres-database'
import { ConfigError } from '../../config/config-error.ts'
import type { Environment } from '../../config/environment.ts'
import type { PlatformConfig } from '../../config/platform-config.ts'
import { WRITER_CONNECTIONS, WRITER_NAME } from './connection-budget.ts'
import { notReadyWhenAway } from './not-ready-when-away.ts'

/** All migrations, the ledger's first. */
export const MIGRATION_FOLDERS = [LEDGER_MIGRATIONS, join(import.meta.dirname, '../../../migrations')]

/** PGlite's folder inside the data folder. */
export const PGLITE_FOLDER = 'pglite'

/** An operator's report reads the whole ledger. */
const REPORT_MS = 600_000

export interface Databases {
  /** For requests and background work. */
  readonly db: Database
  /** Separate connections for the ledger's writer, so that requests can never starve it. With PGlite, the same connection. */
  readonly writerDb: Database
}

/** The databases as they were opened. */
export interface OpenedDatabases extends Databases {
  /** The names of the migrations that changed the schema now. */
  readonly migrations: readonly string[]
}

/** The limits of the primary in the configuration. */
type PrimaryLimits = Pick<PlatformConfig['database'], 'readConnections' | 'readTimeoutMs' | 'writeTimeoutMs'>

interface Limits {
  readonly maxConnections?: number
  readonly maxQueryMs: number
  readonly keepsConnections?: boolean
  readonly name?: string
}

/**
 * Opens PostgreSQL at `DATABASE_URL`, or PGlite in the data folder (whose lock the caller holds), and migrates it. While
 * the database is unavailable, every call throws `NotReady`.
 *
 * @throws ConfigError if PostgreSQL cannot be reached, or only through a pooler that shares connections, or has the schema of a newer
 * version.
 */
export async function openDatabases(
  { env, database }: { readonly env: Environment; readonly database: PrimaryLimits },
  onError: (error: Error) => void,
): Promise<OpenedDatabases> {
  const { readConnections, readTimeoutMs, writeTimeoutMs } = database
  const writerLimits = {
    maxConnections: WRITER_CONNECTIONS,
    maxQueryMs: writeTimeoutMs,
    keepsConnections: true,
    name: WRITER_NAME,
  }
  // First, because it finds a pooler whose connections would mix up the migrations.
  const writerDb = await connect(env, writerLimits, onError)
  let db = writerDb
  try {
    if (env.databaseUrl)
      db = await connect(env, { maxConnections: readConnections, maxQueryMs: readTimeoutMs }, onError)
    const migrations = await bringUpToDate(db)
    const wrapped = notReadyWhenAway(db)
    return { db: wrapped, writerDb: writerDb === db ? wrapped : notReadyWhenAway(writerDb), migrations }
  } catch (error) {
    await Promise.all([...new Set([db, writerDb])].map((each) => each.close()))
    throw error
  }
}

/** Opens the same database for a command of the operator, whose statements may take minutes. */
export async function openDatabase(env: Environment, onError: (error: Error) => void): Promise<Database> {
  const db = await connect(env, { maxQueryMs: REPORT_MS }, onError)
  await bringUpToDate(db)
  return notReadyWhenAway(db)
}

/** @throws ConfigError for the schema of a newer version: an operator has to act. */
async function bringUpToDate(db: Database): Promise<readonly string[]> {
  try {
    return await migrate(db, MIGRATION_FOLDERS)
  } catch (error) {
    if (!(error instanceof NewerDatabase)) throw error
    throw new ConfigError(`${error.message} Start a newer version, or restore the database.`)
  }
}

async function connect(
  { databaseUrl, dataDir }: Environment,
  limits: Limits,
  onError: (error: Error) => void,
): Promise<Database> {
  if (!databaseUrl) return openPgliteDatabase(join(dataDir, PGLITE_FOLDER))
  return openPostgresDatabase(databaseUrl, { ...limits, onError }).catch((error: unknown) => {
    throw new ConfigError(
      error instanceof PoolerFault ? error.message : 'The database at DATABASE_URL cannot be reached.',
    )
  })
}

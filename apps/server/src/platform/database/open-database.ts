import { join } from 'node:path'
import type { Database } from '@clearwell/ledger/database'
import { LEDGER_MIGRATIONS, migrate } from '@clearwell/ledger/migrate'
import { openPgliteDatabase } from '@clearwell/ledger/pglite-database'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { ConfigError } from '../../config/config-error.ts'
import type { Environment } from '../../config/environment.ts'
import { notReadyWhenAway } from './not-ready-when-away.ts'

/** All migrations, the ledger's first. */
export const MIGRATION_FOLDERS = [LEDGER_MIGRATIONS, join(import.meta.dirname, '../../../migrations')]

/** PGlite's folder inside the data folder. */
export const PGLITE_FOLDER = 'pglite'

/**
 * Opens PostgreSQL at `DATABASE_URL`, or PGlite in the data folder (whose lock the caller holds), and migrates it.
 * While the database is unavailable, every call throws `NotReady`.
 */
export async function openDatabase(env: Environment, onError: (error: Error) => void): Promise<Database> {
  const db = env.databaseUrl
    ? await openPostgresDatabase(env.databaseUrl, { onError }).catch(() => {
        throw new ConfigError('The database at DATABASE_URL cannot be reached.')
      })
    : await openPgliteDatabase(join(env.dataDir, PGLITE_FOLDER))
  await migrate(db, MIGRATION_FOLDERS)
  return notReadyWhenAway(db)
}

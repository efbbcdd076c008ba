import type { Database } from '@clearwell/ledger/database'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { readLogEnd, readStandbyProgress, type StandbyProgress } from '@clearwell/ledger/read-log'
import { readOrigin } from '@clearwell/ledger/reads'
import type { Config } from '../load-config.ts'
import { type Check, faultsOf } from './check-result.ts'

/** Checks the replica that reads are served from: it answers, and has this ledger as of a moment ago. None is no fault. */
export async function checkReplica({ env, database }: Config): Promise<readonly Check[]> {
  const { databaseUrl, readDatabaseUrl } = env
  if (databaseUrl === undefined || readDatabaseUrl === undefined) return []
  const faults = await faultsOf(async () => {
    // Another check says what is wrong with the database itself.
    const primary = await inDatabase(databaseUrl, async (db) => ({
      origin: await readOrigin(db),
      end: await readLogEnd(db),
    })).catch(() => undefined)
    const replica = await inDatabase(readDatabaseUrl, async (db) => {
      // Before the first start neither has a table.
      if (primary === undefined) return undefined
      return { origin: await readOrigin(db), progress: await readStandbyProgress(db) }
    })
    const fault = primary && replica && replicaFault(primary, replica, database.replicaLagMs)
    return fault === undefined ? [] : [fault]
  })
  return [{ name: 'replica', faults }]
}

/**
 * Says what is wrong with a replica.
 *
 * @param primary the origin of its ledger, and the end of its log before the replica was asked.
 * @param lagMs how old a copy reads may be served from.
 */
export function replicaFault(
  primary: { readonly origin: string | undefined; readonly end: bigint },
  { origin, progress }: { readonly origin: string | undefined; readonly progress: StandbyProgress },
  lagMs: number,
): string | undefined {
  if (origin !== primary.origin) return 'READ_DATABASE_URL leads to another ledger than DATABASE_URL'
  // Without a server that leads, the lease is old in both.
  if (progress.position >= primary.end || progress.ageMs <= lagMs) return undefined
  return `the replica is ${Math.round(progress.ageMs / 1_000)} seconds behind: reads go to the primary from ${lagMs / 1_000} on`
}

async function inDatabase<Result>(url: string, read: (db: Database) => Promise<Result>): Promise<Result> {
  const db = await openPostgresDatabase(url, { maxConnections: 1, keepsConnections: true })
  try {
    return await read(db)
  } finally {
    await db.close()
  }
}

import type { Queryable } from '@clearwell/ledger/database'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import type { Config } from '../load-config.ts'
import { budgetFault, connectionsPerServer, readConnectionBudget } from '../platform/database/connection-budget.ts'
import { readReplication, replicationFault } from '../platform/database/replication.ts'
import { type Check, faultsOf } from './check-result.ts'

/** The oldest version of PostgreSQL that has everything the migrations use. */
const MIN_VERSION = 150_000
/** Other clocks may differ by this much before sessions and vouchers end at a wrong time. */
const MAX_CLOCK_MS = 2_000

/** Settings without which a committed batch can be lost, and the value that each must have. */
const DURABLE = { fsync: 'on', full_page_writes: 'on' } as const

/** Checks the database without a migration. PGlite has no settings. */
export async function checkDatabase({ env, database }: Config): Promise<Check> {
  const { databaseUrl } = env
  if (!databaseUrl) return { name: 'database (PGlite)', faults: [] }
  const faults = await faultsOf(async () => {
    const db = await openPostgresDatabase(databaseUrl, { maxConnections: 1, keepsConnections: true })
    try {
      const budget = budgetFault(
        await readConnectionBudget(db, connectionsPerServer(database, env.readDatabaseUrl !== undefined)),
      )
      const replication = replicationFault(await readReplication(db))
      return [...(await settingFaults(db)), budget, replication].filter((fault) => fault !== undefined)
    } finally {
      await db.close()
    }
  })
  return { name: 'database', faults }
}

async function settingFaults(db: Queryable): Promise<string[]> {
  const sentMs = Date.now()
  const [row] = await db.query<{ version: number; settings: Record<string, string>; now: Date }>(
    `select current_setting('server_version_num')::integer as version, clock_timestamp() as now,
       (select json_object_agg(name, setting) from pg_settings where name = any ($1::text[])) as settings`,
    [[...Object.keys(DURABLE), 'synchronous_commit']],
  )
  if (!row) return ['PostgreSQL does not show its settings']
  const { version, settings, now } = row
  const apartMs = Math.abs(now.getTime() - (sentMs + Date.now()) / 2)
  return [
    ...(version < MIN_VERSION ? [`PostgreSQL is version ${Math.floor(version / 10_000)}, and 15 is needed`] : []),
    ...Object.entries(DURABLE)
      .filter(([name, value]) => settings[name] !== value)
      .map(([name, value]) => `${name} is ${settings[name]}, and must be ${value}: a crash would lose commits`),
    ...(settings.synchronous_commit === 'off'
      ? ['synchronous_commit is off: a crash would lose commands that were acknowledged']
      : []),
    ...(apartMs > MAX_CLOCK_MS ? [`its clock and the clock of this machine are ${Math.round(apartMs)} ms apart`] : []),
  ]
}

import type { Database } from '@clearwell/ledger/database'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { readReplication, replicationFault } from '@clearwell/server/src/platform/database/replication.ts'
import { startTestServer } from '@clearwell/server/src/testing/server.ts'
import { canShareLedger } from '@clearwell/server/src/testing/two-servers.ts'
import { afterEach, expect, test } from 'vitest'
import { startPostgres, type ThrowawayPostgres } from '../../scripts/postgres.ts'
import { startStandby } from '../../scripts/start-standby.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function startPrimary(): Promise<ThrowawayPostgres> {
  const primary = await startPostgres({ fsync: false, settings: { synchronous_commit: 'on' } })
  ends.push(primary.stop)
  return primary
}

/** The commands of the page, and where they take effect. */
async function setNames(db: Database, names: string): Promise<void> {
  await db.script(`alter system set synchronous_standby_names = '${names}'`)
  await db.query('select pg_reload_conf()')
}

test.runIf(canShareLedger)(
  'the server says that no commit waits for its standby',
  async () => {
    const primary = await startPrimary()
    const db = await openPostgresDatabase(primary.url, { maxConnections: 2 })
    ends.push(db.close)
    expect(await readReplication(db)).toEqual({ standbys: [], isSynchronous: false })
    await startStandby(primary, ends)
    await expect.poll(async () => (await readReplication(db)).standbys).toEqual(['standby1'])

    const server = await startTestServer({ DATABASE_URL: primary.url, METRICS_PORT: '0' })
    ends.push(server.destroy)
    const fault =
      'no commit waits for a standby (standby1): a failover can lose what was acknowledged. Set synchronous_standby_names, see docs/recipes/replicate-the-database.md'
    await expect.poll(() => server.errors).toEqual([{ error: new Error(fault), task: 'replication' }])
    const alarms = 'select message from alarms where kind = $1'
    await expect.poll(() => server.db.query(alarms, ['asynchronous_standby'])).toEqual([{ message: fault }])
    const metrics = await (await fetch(server.metricsUrl ?? '')).text()
    expect(metrics).toContain('\nclearwell_database_standbys 1\n')
    expect(metrics).toContain('\nclearwell_database_synchronous 0\n')

    await setNames(db, 'standby1')
    await expect.poll(() => readReplication(server.db)).toEqual({ standbys: ['standby1'], isSynchronous: true })
    expect(replicationFault(await readReplication(server.db))).toBeUndefined()
    // A standby that no commit waits for does not count.
    await db.script("alter role current_user set synchronous_commit = 'local'")
    const lazy = await openPostgresDatabase(primary.url, { maxConnections: 1 })
    ends.push(lazy.close)
    expect(replicationFault(await readReplication(lazy))).toBe(fault)
  },
  120_000,
)

test.runIf(canShareLedger)(
  'a role without privileges still learns of the standby',
  async () => {
    const primary = await startPrimary()
    const db = await openPostgresDatabase(primary.url, { maxConnections: 1 })
    ends.push(db.close)
    await db.script("create role plain login password 'plain'")
    await startStandby(primary, ends)
    const url = new URL(primary.url)
    Object.assign(url, { username: 'plain', password: 'plain' })
    const plain = await openPostgresDatabase(url.href, { maxConnections: 1 })
    ends.push(plain.close)
    await expect.poll(() => readReplication(plain)).toEqual({ standbys: ['standby1'], isSynchronous: false })
    await setNames(db, 'FIRST 1 (standby1)')
    await expect.poll(() => readReplication(plain)).toEqual({ standbys: ['standby1'], isSynchronous: true })
  },
  120_000,
)

import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { canShareLedger } from '@clearwell/server/src/testing/two-servers.ts'
import { afterEach, expect, test } from 'vitest'
import { hasPgBackRest, preparePgBackRest, WITHOUT_PGBACKREST } from './restore/backup-tools.ts'
import { followRestore } from './restore/follow-restore.ts'

/** docs/recipes/restore-a-backup.md with pgBackRest. */
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

if (!hasPgBackRest) console.warn(`The restore with pgBackRest was not run: ${WITHOUT_PGBACKREST}.`)

test.runIf(canShareLedger && hasPgBackRest)(
  'the runbook of a restore ends with exact books',
  async () => {
    const recorded: unknown[] = []
    await followRestore(async (folder) => {
      const tools = await preparePgBackRest(folder)
      return {
        ...tools,
        async backUp(postgres) {
          await tools.backUp(postgres)
          const db = await openPostgresDatabase(postgres.url, { maxConnections: 1 })
          const recent = "finished_at between clock_timestamp() - interval '1 minute' and clock_timestamp()"
          recorded.push(...(await db.query(`select kind, ${recent} as is_recent from backups order by kind`)))
          await db.close()
        },
      }
    }, ends)
    expect(recorded).toEqual([
      { kind: 'backup', is_recent: true },
      { kind: 'restore', is_recent: true },
    ])
  },
  180_000,
)

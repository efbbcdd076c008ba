import type { Database } from '@clearwell/ledger/database'
import { column, defineTable, forever } from '@clearwell/ledger/table'
import { defineMetrics } from './define-metrics.ts'
import type { Metrics } from './metrics.ts'

/** Written by `deploy/pgbackrest/clearwell-backup`, or by any other tool that backs up the database. */
export const backups = defineTable('backups', forever('one row for the last backup, one for the last restore'), {
  kind: column.oneOf(['backup', 'restore']),
  finished_at: column.time,
  label: column.text,
})

/** The ages of the copies of the database. The leader has the figures, so that an alert comes once. */
export const backupMetrics = defineMetrics({
  clearwell_backup_age_seconds: {
    type: 'gauge',
    help: 'Time since the last backup of the database ended, in seconds. Absent where none is recorded. The leader has it.',
  },
  clearwell_restore_age_seconds: {
    type: 'gauge',
    help: 'Time since a backup was last restored for a trial, in seconds. Absent where none is recorded. The leader has it.',
  },
  clearwell_archive_age_seconds: {
    type: 'gauge',
    help: 'Time since PostgreSQL last archived a file of its log, in seconds. Absent where it archives none. The leader has it.',
  },
})

/** Reads the ages whenever the metrics are read. */
export function collectBackups(
  metrics: Pick<Metrics, 'add' | 'onCollect'>,
  { db, isLeader }: { readonly db: Database; readonly isLeader: () => boolean },
): void {
  const recorder = metrics.add(backupMetrics)
  metrics.onCollect(async () => {
    const ages: Ages = isLeader() ? await readAges(db) : { backup: null, restore: null, archive: null }
    recorder.set('clearwell_backup_age_seconds', known(ages.backup))
    recorder.set('clearwell_restore_age_seconds', known(ages.restore))
    recorder.set('clearwell_archive_age_seconds', known(ages.archive))
  })
}

/** In seconds; null where nothing is recorded. */
interface Ages {
  readonly backup: number | null
  readonly restore: number | null
  readonly archive: number | null
}

/** By the database's clock, which is also that of the backup. An archive that never succeeded is as old as its statistics. */
async function readAges(db: Database): Promise<Ages> {
  const [row] = await db.query<Ages>(
    `select ${ageOf("(select finished_at from backups where kind = 'backup')")} as backup,
       ${ageOf("(select finished_at from backups where kind = 'restore')")} as restore,
       ${ageOf(`(select coalesce(last_archived_time, stats_reset, pg_postmaster_start_time()) from pg_stat_archiver
         where current_setting('archive_mode') <> 'off')`)} as archive`,
  )
  return row ?? { backup: null, restore: null, archive: null }
}

const ageOf = (time: string) => `extract(epoch from clock_timestamp() - ${time})::float8`

const known = (seconds: number | null) => (seconds === null ? [] : [{ labels: {}, value: Math.max(0, seconds) }])

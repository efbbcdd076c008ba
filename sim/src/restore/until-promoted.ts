import { setTimeout as wait } from 'node:timers/promises'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'

const PROMOTED_MS = 60_000

/** Waits until a restored database has replayed the log up to the moment, and can be written. */
export async function untilPromoted(url: string): Promise<void> {
  const db = await openPostgresDatabase(url, { maxConnections: 1 })
  const deadlineMs = performance.now() + PROMOTED_MS
  try {
    for (;;) {
      const [row] = await db.query<{ is_replaying: boolean }>('select pg_is_in_recovery() as is_replaying')
      if (row?.is_replaying === false) return
      if (performance.now() > deadlineMs) throw new Error('the restored database still replays its log')
      await wait(100)
    }
  } finally {
    await db.close()
  }
}

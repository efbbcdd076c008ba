import type { Queryable } from '@clearwell/ledger/database'
import { type Clock, systemClock } from './clock.ts'
import { openTrustedClock, type TrustedClock } from './trusted-clock.ts'

/** Opens the clock of a process that writes the ledger: this machine's, compared with the one of the database. */
export function openServerClock(
  db: Queryable,
  reports: { readonly onStep: (error: Error) => void; readonly onError: (error: unknown) => void },
  system: Clock = systemClock,
): Promise<TrustedClock> {
  return openTrustedClock({
    system,
    elapsedMs: () => performance.now(),
    readWitness: () => readDatabaseTime(db),
    ...reports,
  })
}

async function readDatabaseTime(db: Queryable): Promise<Date> {
  const [row] = await db.query<{ now: Date }>('select clock_timestamp() as now')
  if (!row) throw new Error('the database has no time')
  return row.now
}

import type { Database } from '@clearwell/ledger/database'
import type { Environment } from '../../config/environment.ts'
import type { LogEvent } from '../log/log.ts'
import type { PlatformEvents } from '../log/platform-events.ts'
import type { Report } from '../log/report.ts'
import type { PlatformRecorder } from '../metrics/collect-platform.ts'
import { type Repeated, repeat } from '../time/repeat.ts'
import { budgetFault, connectionsPerServer, readConnectionBudget } from './connection-budget.ts'
import { createFaultReport } from './fault-report.ts'
import { readReplication, replicationFault } from './replication.ts'

const EVERY_MS = 60_000

/**
 * Says at the start and once a minute whether acknowledged commands survive the loss of the database's machine, and whether its
 * connections suffice for all servers: in the metrics, and in the log when it changes. A fault is an alarm when it begins or
 * changes, and once an hour while it lasts. PostgreSQL only.
 */
export function createDatabaseWatch({
  db,
  database,
  env,
  logEvent,
  recorder,
  report,
  nowMs = () => performance.now(),
}: {
  readonly db: Database
  readonly database: Parameters<typeof connectionsPerServer>[0]
  readonly env: Pick<Environment, 'readDatabaseUrl'>
  readonly logEvent: LogEvent<PlatformEvents>
  readonly recorder: Pick<PlatformRecorder, 'set'>
  readonly report: Report
  readonly nowMs?: () => number
}): Pick<Repeated, 'start' | 'stop' | 'now'> {
  const perServer = connectionsPerServer(database, env.readDatabaseUrl !== undefined)
  let said: string | undefined
  const reportFault = createFaultReport({ report, nowMs })

  async function look(): Promise<void> {
    const { standbys, isSynchronous } = await readReplication(db)
    const text = `${standbys} ${isSynchronous}`
    if (text !== said) logEvent('replication_read', { standbys, is_synchronous: isSynchronous })
    said = text
    const budget = await readConnectionBudget(db, perServer)
    reportFault('replication', replicationFault({ standbys, isSynchronous }))
    reportFault('connection budget', budgetFault(budget))
    const one = (value: number) => [{ labels: {}, value }]
    recorder.set('clearwell_database_standbys', one(standbys.length))
    recorder.set('clearwell_database_synchronous', one(Number(isSynchronous)))
    recorder.set('clearwell_database_connections_allowed', one(budget.allowed))
    recorder.set('clearwell_database_connections_needed', one(budget.needed))
  }

  if (db.kind !== 'postgres') return { start: () => {}, stop: async () => {}, now: async () => {} }
  const timer = repeat({ run: look, everyMs: EVERY_MS, onError: (error) => report(error, 'replication') })
  return {
    ...timer,
    start() {
      timer.start()
      timer.now().catch(timer.report)
    },
  }
}

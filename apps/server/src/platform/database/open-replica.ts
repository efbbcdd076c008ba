import type { Database } from '@clearwell/ledger/database'
import { openReadPool } from '@clearwell/ledger/read-pool'
import { readOrigin } from '@clearwell/ledger/reads'
import type { PlatformConfig } from '../../config/platform-config.ts'
import type { Report } from '../log/report.ts'
import type { PlatformRecorder } from '../metrics/collect-platform.ts'
import type { ReadinessPart } from '../readiness.ts'
import { createPrimaryPosition } from './primary-position.ts'
import type { ReadSource } from './reads.ts'
import { createReplicaReads, type ReplicaReads } from './replica-reads.ts'
import { createReplicaState } from './replica-state.ts'
import { createTakeReplica } from './take-replica.ts'

const CONNECT_MS = 1_000
/** The primary says where it is within a moment, or is away. */
const POSITION_MS = 1_000

/** Reads from a replica, and what watches it. */
export interface OpenReplica extends ReplicaReads {
  /** Works while the primary or the replica does. */
  readonly part: ReadinessPart
  stop(): Promise<void>
}

/**
 * Opens the replica at `READ_DATABASE_URL`, which need not be there yet.
 *
 * @param db the primary.
 * @returns `undefined` without that variable.
 */
export function openReplica(
  { env, database }: Pick<PlatformConfig, 'env' | 'database'>,
  db: Database,
  { recorder, report }: { readonly recorder: Pick<PlatformRecorder, 'set' | 'count'>; readonly report: Report },
): OpenReplica | undefined {
  const { databaseUrl, readDatabaseUrl } = env
  if (databaseUrl === undefined || readDatabaseUrl === undefined) return undefined
  const { replicaConnections, replicaWaitMs: waitMs, replicaLagMs: lagMs, readTimeoutMs } = database
  const pool = openReadPool(readDatabaseUrl, {
    maxConnections: replicaConnections,
    connectMs: CONNECT_MS,
    maxQueryMs: readTimeoutMs,
    name: 'replica',
  })
  const position = { maxConnections: 1, connectMs: CONNECT_MS, maxQueryMs: POSITION_MS, name: 'position' }
  const primary = createPrimaryPosition(openReadPool(databaseUrl, position))
  const readOwnOrigin = () => readOrigin(db)
  const state = createReplicaState({ pool, primary, readOwnOrigin, lagMs, recorder, report })
  state.start()
  const onRead = (source: ReadSource) => recorder.count('clearwell_replica_reads_total', { source })
  const take = createTakeReplica({ pool, primary, state, limits: { waitMs, lagMs }, onRead })
  return {
    ...createReplicaReads({ db, pool, primary, state, take }),
    part: { name: 'reads', probe: () => (state.isUsable ? Promise.resolve() : db.query('select 1')) },
    async stop() {
      await state.stop()
      await primary.stop()
      await pool.close()
    },
  }
}

import { readStandbyProgress, type StandbyProgress } from '@clearwell/ledger/read-log'
import type { ReadConnection, ReadPool } from '@clearwell/ledger/read-pool'
import { readOrigin } from '@clearwell/ledger/reads'
import type { Report } from '../log/report.ts'
import type { PlatformRecorder } from '../metrics/collect-platform.ts'
import { type Repeated, repeat } from '../time/repeat.ts'
import { within } from '../time/within.ts'
import { createFaultReport } from './fault-report.ts'
import type { PrimaryPosition } from './primary-position.ts'

const EVERY_MS = 1_000
/** A replica that takes longer to say where it is does not answer. Without the primary there is nothing else to ask. */
const [ANSWER_MS, ANSWER_ALONE_MS] = [1_000, 5_000]
/** A replica that is a moment behind catches up meanwhile. */
const SECOND_LOOK_MS = 50

/**
 * @param isAlone while the primary is away.
 * @throws when the replica does not answer soon.
 */
export function readProgress(connection: ReadConnection, isAlone: boolean): Promise<StandbyProgress> {
  return within(readStandbyProgress(connection), isAlone ? ANSWER_ALONE_MS : ANSWER_MS)
}

export interface ReplicaState extends Pick<Repeated, 'start' | 'stop' | 'now'> {
  /** False while the replica does not answer or is too far behind. */
  readonly isUsable: boolean
  /** True once it has shown that it has this ledger. */
  readonly isSameLedger: boolean
  /** Leaves the replica alone until the next look. */
  suspend(): void
}

/**
 * Looks at the replica once a second: whether it answers, has the same ledger, and how far it is behind. A replica that stays unusable for
 * `lagMs` is an alarm.
 *
 * @param readOwnOrigin reads the origin of the ledger from the primary.
 */
export function createReplicaState({
  pool,
  primary,
  readOwnOrigin,
  lagMs,
  recorder,
  report,
  nowMs = () => performance.now(),
}: {
  readonly pool: Pick<ReadPool, 'connect'>
  readonly primary: Pick<PrimaryPosition, 'read'>
  readonly readOwnOrigin: () => Promise<string | undefined>
  readonly lagMs: number
  readonly recorder: Pick<PlatformRecorder, 'set'>
  readonly report: Report
  readonly nowMs?: () => number
}): ReplicaState {
  const reportFault = createFaultReport({ report, nowMs })
  let isUsable = false
  let isSameLedger = false
  let unusableSinceMs: number | undefined

  function note(fault: string | undefined, behindMs: number | undefined): void {
    isUsable = fault === undefined
    recorder.set(
      'clearwell_replica_lag_seconds',
      behindMs === undefined ? [] : [{ labels: {}, value: behindMs / 1000 }],
    )
    unusableSinceMs = isUsable ? undefined : (unusableSinceMs ?? nowMs())
    const isLasting = unusableSinceMs !== undefined && nowMs() - unusableSinceMs >= lagMs
    reportFault('replica', isLasting ? `the replica at READ_DATABASE_URL ${fault}: reads go to the primary` : undefined)
  }

  async function look(): Promise<void> {
    const position = await primary.read()
    const behindMs = await readBehind(pool, position).catch(() => undefined)
    if (behindMs === undefined) return note('does not answer', undefined)
    isSameLedger ||= await compareOrigins(pool, readOwnOrigin).catch(() => false)
    if (!isSameLedger) return note('does not have this ledger', undefined)
    // Without the primary the copy only becomes older. Its age when the primary was lost decides, for each connection.
    const isTooOld = position !== undefined && behindMs > lagMs
    note(isTooOld ? `is more than ${lagMs / 1000} seconds behind` : undefined, behindMs)
  }

  const timer = repeat({ run: look, everyMs: EVERY_MS, onError: () => {} })
  return {
    ...timer,
    start() {
      timer.start()
      timer.now().catch(timer.report)
    },
    get isUsable() {
      return isUsable
    },
    get isSameLedger() {
      return isSameLedger
    },
    suspend() {
      isUsable = false
    },
  }
}

async function compareOrigins(
  pool: Pick<ReadPool, 'connect'>,
  readOwnOrigin: () => Promise<string | undefined>,
): Promise<boolean> {
  const own = await readOwnOrigin()
  const connection = await pool.connect()
  try {
    return own !== undefined && (await readOrigin(connection)) === own
  } finally {
    connection.release()
  }
}

/** Reads how far the replica is behind the primary, in milliseconds: 0 once it has what the primary had. */
async function readBehind(pool: Pick<ReadPool, 'connect'>, position: bigint | undefined): Promise<number> {
  const connection = await pool.connect()
  let isLost = true
  try {
    const isAlone = position === undefined
    let progress = await readProgress(connection, isAlone)
    if (position !== undefined && progress.position < position) {
      await new Promise((resolve) => setTimeout(resolve, SECOND_LOOK_MS))
      progress = await readProgress(connection, isAlone)
    }
    isLost = false
    return position !== undefined && progress.position >= position ? 0 : progress.ageMs
  } finally {
    connection.release(isLost)
  }
}

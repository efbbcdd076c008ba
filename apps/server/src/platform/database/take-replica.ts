import { setTimeout as wait } from 'node:timers/promises'
import type { StandbyProgress } from '@clearwell/ledger/read-log'
import type { ReadConnection, ReadPool } from '@clearwell/ledger/read-pool'
import type { PrimaryPosition } from './primary-position.ts'
import type { ReadSource } from './reads.ts'
import { type ReplicaState, readProgress } from './replica-state.ts'

/** Returns a connection to a replica that has what the caller must see; `undefined` where the primary has to serve it. */
export type TakeReplica = () => Promise<ReadConnection | undefined>

/**
 * Takes connections that first show that the replica has everything that the primary had when they were asked for. If that takes longer than
 * `waitMs`, there is none.
 *
 * While the primary is away, the replica serves as it is, unless it was further behind than `lagMs` when the primary was lost: it has
 * everything that the primary's last answer spoke of, or its copy was not older.
 */
export function createTakeReplica({
  pool,
  primary,
  state,
  limits: { waitMs, lagMs },
  onRead,
}: {
  readonly pool: Pick<ReadPool, 'connect'>
  readonly primary: Pick<PrimaryPosition, 'read' | 'isAway' | 'silentForMs' | 'last'>
  readonly state: Pick<ReplicaState, 'isUsable' | 'isSameLedger' | 'suspend'>
  readonly limits: { readonly waitMs: number; readonly lagMs: number }
  readonly onRead: (source: ReadSource) => void
}): TakeReplica {
  async function isUpToDate(connection: ReadConnection, position: bigint | undefined): Promise<boolean> {
    const untilMs = performance.now() + waitMs
    for (let pauseMs = 1; ; pauseMs *= 2) {
      const progress = await readProgress(connection, position === undefined)
      if (position === undefined) return wasUpToDate(progress)
      if (progress.position >= position) return true
      if (performance.now() + pauseMs > untilMs) return false
      await wait(pauseMs)
    }
  }

  /** True if it was up to date when the primary was lost. */
  const wasUpToDate = ({ position, ageMs }: StandbyProgress) =>
    (primary.last !== undefined && position >= primary.last) || ageMs - primary.silentForMs() <= lagMs

  async function takeUpToDate(): Promise<ReadConnection | undefined> {
    const position = await primary.read()
    let connection: ReadConnection | undefined
    try {
      connection = await pool.connect()
      if (await isUpToDate(connection, position)) {
        onRead(position === undefined ? 'replica_alone' : 'replica')
        return connection
      }
      connection.release()
    } catch {
      connection?.release(true)
    }
    state.suspend()
    return undefined
  }

  return async () => {
    // Without the primary there is nothing else to ask, so one late answer must not end the reads.
    const isAsked = state.isUsable || (primary.isAway && state.isSameLedger)
    const connection = isAsked ? await takeUpToDate() : undefined
    if (!connection) onRead('primary')
    return connection
  }
}

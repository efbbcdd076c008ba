import { AsyncLocalStorage } from 'node:async_hooks'
import { type Database, type Queryable, sqlState } from '@clearwell/ledger/database'
import type { ReadConnection, ReadPool } from '@clearwell/ledger/read-pool'
import { NotReady } from '@clearwell/ledger/writer'
import { isAway } from './not-ready-when-away.ts'
import type { PrimaryPosition } from './primary-position.ts'
import type { Reads } from './reads.ts'
import type { ReplicaState } from './replica-state.ts'
import type { TakeReplica } from './take-replica.ts'

/** SQLSTATEs of a statement that the primary can run: one that conflicts with the log, and one that writes. */
const NEEDS_PRIMARY = new Set(['40001', '25006'])

export interface ReplicaReads extends Reads {
  /** The database for everything: it leads reads to the replica, and every other statement to the primary. */
  readonly db: Database
}

/** A call that only reads. */
interface Reading extends Pick<Database, 'query' | 'transaction'> {
  /** Statements of work that outlives the call go to the primary. */
  readonly isOver: boolean
  end(): void
}

/**
 * Leads the statements of calls that only read to a replica, those of one call to one connection. What the replica cannot do, the
 * primary does.
 *
 * @param db the primary.
 */
export function createReplicaReads({
  db,
  pool,
  primary,
  state,
  take,
}: {
  readonly db: Database
  readonly pool: Pick<ReadPool, 'state'>
  readonly primary: Pick<PrimaryPosition, 'read'>
  readonly state: Pick<ReplicaState, 'isSameLedger'>
  readonly take: TakeReplica
}): ReplicaReads {
  const readings = new AsyncLocalStorage<Reading>()
  const current = () => {
    const reading = readings.getStore()
    return reading?.isOver === false ? reading : db
  }
  return {
    db: {
      ...db,
      query: (text, params) => current().query(text, params),
      transaction: (work) => current().transaction(work),
      pools: () => [...(db.pools?.() ?? []), pool.state],
    },
    async run(read) {
      const reading = openReading(db, take)
      try {
        return await readings.run(reading, read)
      } finally {
        reading.end()
      }
    },
    isPrimaryAway: async () => state.isSameLedger && (await primary.read()) === undefined,
  }
}

function openReading(db: Database, take: TakeReplica): Reading {
  // The connection to the replica; `undefined` inside for the primary. Taken with the first statement.
  let taken: Promise<ReadConnection | undefined> | undefined
  // The primary has answered a statement: the replica may not have what it saw.
  let hasReadPrimary = false
  let isOver = false

  /** A replica that was left alone for a moment still serves a call that finds the primary away. */
  async function queryPrimary<Row extends object>(text: string, params?: readonly unknown[]): Promise<Row[]> {
    const before = taken
    try {
      const rows = await db.query<Row>(text, params)
      hasReadPrimary = true
      return rows
    } catch (error) {
      if (!isPrimaryAway(error) || hasReadPrimary) throw error
      // Statements side by side share the second connection, too.
      if (taken === before) taken = take()
      const connection = await taken
      if (!connection) throw error
      return connection.query<Row>(text, params)
    }
  }

  return {
    async query<Row extends object>(text: string, params?: readonly unknown[]): Promise<Row[]> {
      taken ??= take()
      const before = taken
      const connection = await before
      if (!connection) return queryPrimary<Row>(text, params)
      try {
        return await connection.query<Row>(text, params)
      } catch (error) {
        if (!needsPrimary(error)) throw error
        const isLost = !NEEDS_PRIMARY.has(sqlState(error) ?? '')
        // Statements side by side give it back once.
        if (taken === before) {
          taken = Promise.resolve(undefined)
          connection.release(isLost)
        }
        // Another connection to the replica may serve where the primary is away, too.
        return isLost ? queryPrimary<Row>(text, params) : db.query<Row>(text, params)
      }
    },
    transaction: (work) => transactionOf(db, take, work),
    get isOver() {
      return isOver
    },
    end() {
      isOver = true
      void taken?.then((connection) => connection?.release())
    },
  }
}

async function transactionOf<Result>(
  db: Database,
  take: TakeReplica,
  work: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  const found = await onReplica(take, work)
  if (found) return found.result
  try {
    return await db.transaction(work)
  } catch (error) {
    const again = isPrimaryAway(error) ? await onReplica(take, work) : undefined
    if (!again) throw error
    return again.result
  }
}

/** It only reads, so it may run again. @returns `undefined` where the primary has to run it. */
async function onReplica<Result>(
  take: TakeReplica,
  work: (tx: Queryable) => Promise<Result>,
): Promise<{ readonly result: Result } | undefined> {
  const connection = await take()
  if (!connection) return undefined
  try {
    return { result: await inTransaction(connection, work) }
  } catch (error) {
    if (!needsPrimary(error)) throw error
    return undefined
  } finally {
    connection.release()
  }
}

/** `notReadyWhenAway` names the fault of a primary that is away. */
function isPrimaryAway(error: unknown): boolean {
  return error instanceof NotReady || isAway(error)
}

function needsPrimary(error: unknown): boolean {
  return isAway(error) || NEEDS_PRIMARY.has(sqlState(error) ?? '')
}

async function inTransaction<Result>(
  connection: ReadConnection,
  work: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  await connection.query('begin')
  try {
    const result = await work({ query: (text, params) => connection.query(text, params) })
    await connection.query('commit')
    return result
  } catch (error) {
    await connection.query('rollback').catch(() => {})
    throw error
  }
}

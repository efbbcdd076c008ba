import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { eachCompletion } from '@clearwell/ledger/command'
import type { Database } from '@clearwell/ledger/database'
import { NotReady, Writer } from '@clearwell/ledger/writer'
import type { Config } from '../load-config.ts'
import { givePlaces } from '../platform/custody/proof-places.ts'
import { storeRowLines } from '../platform/ledger/row-lines.ts'
import { type Clock, openMovableClock } from '../platform/time/clock.ts'
import { openServerClock } from '../platform/time/server-clock.ts'

const LEASE_TTL_MS = 3_000
/** Longer than a dead server's lease lasts, so either a server responds or this process gets the lease. */
const PATIENCE_MS = 20_000
const LOOK_EVERY_MS = 50

/**
 * Executes a request that is stored in a table. A server that holds the lease finds the request there and executes it. If
 * no server runs, this process takes the lease and executes it. It never happens twice: only the leader writes, and the
 * request's id is its idempotency key.
 *
 * @param request.findOutcome reads the stored outcome, if there is one yet.
 * @param request.execute executes the request with a writer that holds the lease.
 * @returns `undefined` on a timeout: the request stays stored for the next leader.
 */
export async function executeRequest<Result>(
  config: Pick<Config, 'env'> & { readonly chain?: Pick<Config['chain'], 'operator'> | undefined },
  db: Database,
  request: {
    findOutcome: () => Promise<Result | undefined>
    execute: (writer: Writer, clock: Clock) => Promise<Result>
  },
): Promise<Result | undefined> {
  const faults: unknown[] = []
  const onError = (error: unknown) => void faults.push(error)
  const clock = await openOperatorClock(config, db, onError)
  const writer = await Writer.open({
    db,
    clock,
    randomId: () => randomBytes(16).toString('hex'),
    holder: randomUUID(),
    leaseTtlMs: LEASE_TTL_MS,
    // This process holds the lock of the data folder, so no server uses the database.
    exclusive: db.kind === 'pglite',
    completion: eachCompletion(givePlaces({ operator: (config.chain?.operator ?? '').toLowerCase() }), storeRowLines),
    onError,
  })
  try {
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await wait(LOOK_EVERY_MS)) {
      const found = await request.findOutcome()
      if (found !== undefined) return found
      if (!writer.isWriting) continue
      try {
        return await request.execute(writer, clock)
      } catch (error) {
        // A server took the lease first.
        if (!(error instanceof NotReady)) throw faults[0] ?? error
      }
    }
    return undefined
  } finally {
    await writer.close()
  }
}

/** The clock of the servers: in the local profile it may have been moved. */
export async function openOperatorClock(
  config: Pick<Config, 'env'> & { readonly chain?: Pick<Config['chain'], 'operator'> | undefined },
  db: Database,
  onError: (error: unknown) => void = () => {},
): Promise<Clock> {
  const { profile, dataDir } = config.env
  // Not started: the command ends before the next comparison would be due.
  const trusted = await openServerClock(db, { onStep: () => {}, onError })
  return profile === 'local' ? openMovableClock(join(dataDir, 'clock-offset'), trusted) : trusted
}

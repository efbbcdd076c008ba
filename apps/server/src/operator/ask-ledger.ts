import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '@clearwell/ledger/database'
import { NotReady, Writer } from '@clearwell/ledger/writer'
import type { Config } from '../load-config.ts'
import { openMovableClock, systemClock } from '../platform/time/clock.ts'

const LEASE_TTL_MS = 3_000
/** Longer than a dead server's lease lasts, so that either a server answers or the lease is ours. */
const PATIENCE_MS = 20_000
const LOOK_EVERY_MS = 50

/**
 * Has the ledger do what was asked for in a table: a server that holds the lease finds it there and does it; where none
 * runs, this process takes the lease and does it itself. Never both: what only the lease's holder may write is written by
 * that one, and the request's key makes it one.
 *
 * @param asked.findAnswer what was answered, once it is.
 * @param asked.answer does it with a writer that holds the lease.
 * @returns `undefined` where nobody did it in time: it stays asked for.
 */
export async function askLedger<Answer>(
  config: Config,
  db: Database,
  asked: { findAnswer: () => Promise<Answer | undefined>; answer: (writer: Writer) => Promise<Answer> },
): Promise<Answer | undefined> {
  const { env } = config
  const clock = env.profile === 'local' ? await openMovableClock(join(env.dataDir, 'clock-offset')) : systemClock
  const faults: unknown[] = []
  const writer = await Writer.open({
    db,
    clock,
    randomId: () => randomBytes(16).toString('hex'),
    holder: randomUUID(),
    leaseTtlMs: LEASE_TTL_MS,
    // No server runs on it: its data folder is locked by this process.
    exclusive: db.kind === 'pglite',
    onError: (error) => faults.push(error),
  })
  try {
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await wait(LOOK_EVERY_MS)) {
      const found = await asked.findAnswer()
      if (found !== undefined) return found
      if (!writer.isWriting) continue
      try {
        return await asked.answer(writer)
      } catch (error) {
        // A server was faster to the lease.
        if (!(error instanceof NotReady)) throw faults[0] ?? error
      }
    }
    return undefined
  } finally {
    await writer.close()
  }
}

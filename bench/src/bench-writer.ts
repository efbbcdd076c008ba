import type { Database } from '@clearwell/ledger/database'
import { Writer } from '@clearwell/ledger/writer'
import { type Clock, systemClock } from '@clearwell/server/src/platform/time/clock.ts'

/** Opens the server's writer on a bench's own database. Any error ends the bench. */
export function openBenchWriter(db: Database, clock: Clock = systemClock): Promise<Writer> {
  return Writer.open({
    db,
    clock,
    randomId: () => 'bench'.repeat(8),
    holder: 'bench',
    leaseTtlMs: 60_000,
    exclusive: true,
    onError: throwIt,
  })
}

export function throwIt(error: unknown): never {
  throw error
}

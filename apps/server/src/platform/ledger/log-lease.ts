import type { Writer } from '@clearwell/ledger/writer'
import type { LogEvent } from '../log/log.ts'
import type { PlatformEvents } from '../log/platform-events.ts'

/** Logs when this server becomes the leader, and when it no longer is. The writer may hold the lease already. */
export function logLease(
  writer: Pick<Writer, 'isWriting' | 'onLeaseTaken' | 'onLeaseLost'>,
  logEvent: LogEvent<PlatformEvents>,
): void {
  if (writer.isWriting) logEvent('lease_taken', {})
  writer.onLeaseTaken(() => logEvent('lease_taken', {}))
  writer.onLeaseLost((reason) => {
    if (reason === undefined) logEvent('lease_released', {})
    else logEvent('lease_lost', { reason })
  })
}

/** Closes the writer, and logs that it has released the lease. */
export async function closeWriter(
  writer: Pick<Writer, 'isWriting' | 'close'>,
  logEvent: LogEvent<PlatformEvents>,
): Promise<void> {
  const wasLeader = writer.isWriting
  await writer.close()
  if (wasLeader) logEvent('lease_released', {})
}

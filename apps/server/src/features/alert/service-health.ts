import type { Clock } from '../../platform/time/clock.ts'

/** Attempts in a row without success after which a service counts as unreachable. */
const FAILURES = 3
/** Later the state is unknown: there may have been no message since. */
const KNOWN_MS = 900_000

/** Judges from the messages that are sent whether the push services can be reached. */
export function createServiceHealth(clock: Clock) {
  const failing = new Map<string, { readonly count: number; readonly atMs: number }>()
  return {
    /** @param host the host of a push service. @param isReached whether it responded to a message, even with a rejection. */
    note(host: string, isReached: boolean): void {
      if (isReached) failing.delete(host)
      else failing.set(host, { count: (failing.get(host)?.count ?? 0) + 1, atMs: clock.now().getTime() })
    },
    isOk(): boolean {
      const sinceMs = clock.now().getTime() - KNOWN_MS
      return [...failing.values()].every(({ count, atMs }) => count < FAILURES || atMs < sinceMs)
    },
  }
}

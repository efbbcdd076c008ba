import type { LogEvent } from './log/log.ts'
import type { PlatformEvents } from './log/platform-events.ts'
import type { Readiness } from './readiness.ts'
import { type Repeated, repeat } from './time/repeat.ts'

const EVERY_MS = 5_000

/** Logs each part of this server that stops working, and when it works again. */
export function watchParts(
  readiness: Pick<Readiness, 'check'>,
  logEvent: LogEvent<PlatformEvents>,
  nowMs: () => number = () => performance.now(),
): Pick<Repeated, 'start' | 'stop' | 'now'> {
  /** The parts that do not work, and since when. */
  const downSinceMs = new Map<string, number>()
  return repeat({
    async run() {
      for (const [part, state] of await readiness.check()) {
        const sinceMs = downSinceMs.get(part)
        if (state !== 'ok' && sinceMs === undefined) {
          downSinceMs.set(part, nowMs())
          logEvent('part_failed', { part, state })
        }
        if (state === 'ok' && sinceMs !== undefined) {
          downSinceMs.delete(part)
          logEvent('part_recovered', { part, seconds: Math.round((nowMs() - sinceMs) / 1000) })
        }
      }
    },
    everyMs: EVERY_MS,
    // A check never rejects.
    onError: () => {},
  })
}

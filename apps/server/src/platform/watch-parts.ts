import { SHARED_PARTS, type SharedPart } from '@clearwell/api/config.routes'
import type { LogEvent } from './log/log.ts'
import type { PlatformEvents } from './log/platform-events.ts'
import type { Readiness } from './readiness.ts'
import { type Repeated, repeat } from './time/repeat.ts'

const EVERY_MS = 5_000

interface PartsWatch extends Pick<Repeated, 'start' | 'stop' | 'now'> {
  /** The shared parts that did not work at the last look, for clients: their calls wait for no part, and ask no node. */
  degraded(): SharedPart[]
}

/** Logs each part of this server that stops working, and when it works again. */
export function watchParts(
  readiness: Pick<Readiness, 'check'>,
  logEvent: LogEvent<PlatformEvents>,
  nowMs: () => number = () => performance.now(),
): PartsWatch {
  /** The parts that do not work, and since when. */
  const downSinceMs = new Map<string, number>()
  let degraded: SharedPart[] = []
  const timer = repeat({
    async run() {
      const states = await readiness.check()
      degraded = SHARED_PARTS.filter((part) => states.get(part) === 'degraded')
      for (const [part, state] of states) {
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
  return {
    ...timer,
    start() {
      timer.start()
      timer.wake()
    },
    degraded: () => [...degraded],
  }
}

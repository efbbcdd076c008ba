import type { LogEvent } from '../log/log.ts'
import type { PlatformEvents } from '../log/platform-events.ts'
import type { BookedStep } from './watcher.ts'

/** Progress without payments is logged at most once in this time, in milliseconds. */
const EVERY_MS = 300_000

/** Logs the watcher's bookings, and now and then its progress. */
export function createBookingLog(
  logEvent: LogEvent<PlatformEvents>,
  nowMs: () => number = () => performance.now(),
): (step: BookedStep) => void {
  let loggedMs = Number.NEGATIVE_INFINITY
  return ({ block: number, isBehind, credited, completed }) => {
    const block = number.toString()
    if (credited + completed > 0) logEvent('payments_booked', { block, credited, completed })
    if (nowMs() - loggedMs < EVERY_MS) return
    loggedMs = nowMs()
    logEvent('watcher_progressed', { block, is_behind: isBehind })
  }
}

import { HOUR_MS } from '@clearwell/rules/spans'
import type { Report } from '../../platform/log/report.ts'
import type { Clock } from '../../platform/time/clock.ts'

/** An alarm that goes on is raised again after this time. */
const REMIND_MS = HOUR_MS
/** Faults that are remembered. */
const MOST_FAULTS = 100

/** Raises an alarm for a fault that goes on: the same one once an hour. `what` names the fault, since its message may have figures. */
export type Remind = (message: string, what?: string) => void

/** @param task of the alarms. */
export function createReminder(clock: Clock, onError: Report, task: string): Remind {
  const remindAtMs = new Map<string, number>()
  return (message, what = message) => {
    const nowMs = clock.now().getTime()
    if (nowMs < (remindAtMs.get(what) ?? 0)) return
    if (remindAtMs.size >= MOST_FAULTS) remindAtMs.clear()
    remindAtMs.set(what, nowMs + REMIND_MS)
    onError(new Error(message), task)
  }
}

import { ALARMS, alarmKindOf } from '../alarms/alarm-kinds.ts'
import type { Alarms } from '../alarms/alarms.ts'
import type { LogEvent } from './log.ts'
import type { PlatformEvents } from './platform-events.ts'

/**
 * Reports a bug or an alarm: to the log, and to the list of alarms.
 *
 * @param task what failed, in a few words. It decides the kind of alarm.
 * @param traceId the id that a user sees beside the error.
 */
export type Report = (error: unknown, task: string, traceId?: string) => void

/** @param observe receives the same, for tests. */
export function createReport({
  logEvent,
  alarms,
  observe,
}: {
  readonly logEvent: LogEvent<PlatformEvents>
  readonly alarms: Pick<Alarms, 'raise'>
  readonly observe?: ((error: unknown, task: string) => void) | undefined
}): Report {
  return (error, task, traceId) => {
    const alarm = alarmKindOf(error, task)
    const message = error instanceof Error ? error.message : String(error)
    const event = ALARMS[alarm].severity === 'critical' ? 'critical_alarm_raised' : 'alarm_raised'
    logEvent(event, { alarm, doing: task, trace_id: traceId, err: error }, message)
    alarms.raise(alarm, message)
    observe?.(error, traceId === undefined ? task : `${task} ${traceId}`)
  }
}

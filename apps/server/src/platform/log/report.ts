import { ALARMS, alarmKindOf } from '../alarms/alarm-kinds.ts'
import type { Alarms } from '../alarms/alarms.ts'
import type { Log } from './log.ts'

/**
 * Reports a bug or an alarm: to the log, and to the list of alarms.
 *
 * @param doing the activity that failed, in a few words. It decides the kind of alarm.
 * @param traceId the id that a user sees beside the error.
 */
export type Report = (error: unknown, doing: string, traceId?: string) => void

/** @param observe receives the same, for tests. */
export function createReport({
  log,
  alarms,
  observe,
}: {
  readonly log: Log
  readonly alarms: Pick<Alarms, 'raise'>
  readonly observe?: ((error: unknown, doing: string) => void) | undefined
}): Report {
  return (error, doing, traceId) => {
    const alarm = alarmKindOf(error, doing)
    const message = error instanceof Error ? error.message : String(error)
    const level = ALARMS[alarm].severity === 'critical' ? 'error' : 'warn'
    log[level]({ alarm, doing, ...(traceId === undefined ? {} : { trace_id: traceId }), err: error }, message)
    alarms.raise(alarm, message)
    observe?.(error, traceId === undefined ? doing : `${doing} ${traceId}`)
  }
}

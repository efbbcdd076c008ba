import { ALARMS, alarmKindOf } from '../alarms/alarm-kinds.ts'
import { type Alarms, subjectOf } from '../alarms/alarms.ts'
import { createRepeatGate } from '../alarms/repeat-gate.ts'
import type { LogEvent } from './log.ts'
import type { PlatformEvents } from './platform-events.ts'

/** Repetitions of one alarm have one line in this time, in milliseconds. */
const REPEAT_MS = 300_000

/**
 * Reports a bug or an alarm: to the log, and to the list of alarms.
 *
 * @param task what failed, in a few words. It decides the kind of alarm.
 * @param traceId the id that a user sees beside the error.
 */
export type Report = (error: unknown, task: string, traceId?: string) => void

/**
 * The list of alarms counts every repetition, and the log only has a line now and then. A user may quote a trace id, so
 * every error with one has its line, without the stack of a repetition.
 *
 * @param options.observe receives the same, for tests.
 */
export function createReport({
  logEvent,
  alarms,
  observe,
  nowMs = () => performance.now(),
}: {
  readonly logEvent: LogEvent<PlatformEvents>
  readonly alarms: Pick<Alarms, 'raise'>
  readonly observe?: ((error: unknown, task: string) => void) | undefined
  readonly nowMs?: () => number
}): Report {
  const gate = createRepeatGate(REPEAT_MS, nowMs)
  return (error, task, traceId) => {
    const alarm = alarmKindOf(error, task)
    const message = error instanceof Error ? error.message : String(error)
    const repeats = gate.pass(`${alarm} ${subjectOf(`${task} ${message}`)}`)
    if (repeats !== undefined || traceId !== undefined) {
      const event = ALARMS[alarm].severity === 'critical' ? 'critical_alarm_raised' : 'alarm_raised'
      const err = repeats === undefined ? undefined : error
      logEvent(event, { alarm, task, trace_id: traceId, repeats: repeats || undefined, err }, message)
    }
    alarms.raise(alarm, message)
    observe?.(error, traceId === undefined ? task : `${task} ${traceId}`)
  }
}

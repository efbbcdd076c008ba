import { type AlarmRow, createAlarmStore } from '../platform/alarms/alarm.store.ts'
import { ALARMS } from '../platform/alarms/alarm-kinds.ts'
import type { OperatorCommand } from './command.ts'
import { withDatabase } from './open-books.ts'

/** The number of alarms that are listed. */
const LATEST = 100
/** An alarm that was raised this recently may still hold: conditions that go on are raised twice a minute. */
const RECENT_MS = 120_000

export const alarms: OperatorCommand = {
  about: 'lists the latest alarms with first time, last time and count; exit code 1 while a critical one is recent',
  run: ({ json }) =>
    withDatabase(async (db) => {
      const rows = (await createAlarmStore(db).latest(LATEST)).map((row) => ({
        ...row,
        severity: ALARMS[row.kind]?.severity ?? 'warning',
      }))
      const since = Date.now() - RECENT_MS
      const isAlarmed = rows.some((row) => row.severity === 'critical' && row.last_at.getTime() > since)
      const text = json
        ? JSON.stringify({ alarms: rows.map((row) => ({ ...row, count: row.count.toString() })) }, null, 2)
        : rows.length === 0
          ? 'No alarm is stored.'
          : rows.map(lineOf).join('\n')
      return { text, faults: [], exitCode: isAlarmed ? 1 : 0 }
    }),
}

function lineOf({ kind, severity, message, first_at: first, last_at: last, count }: AlarmRow & { severity: string }) {
  const times = count === 1n ? 'once' : `${count} times since ${first.toISOString()}`
  return `${last.toISOString()}  ${severity.padEnd(8)}  ${kind}  (${times})\n  ${message}`
}

import type { Queryable } from '@clearwell/ledger/database'
import { column, defineTable, until } from '@clearwell/ledger/table'
import type { AlarmKind } from './alarm-kinds.ts'

export const alarms = defineTable(
  'alarms',
  until('it was not raised for', { days: 'retention.alarmsDays', condition: 'last_at < $1' }),
  {
    kind: column.textOf<AlarmKind>(),
    subject: column.text,
    message: column.text,
    first_at: column.time,
    last_at: column.time,
    count: column.bigint,
  },
)

/** One alarm with all its repetitions. */
export interface AlarmRow {
  kind: AlarmKind
  /** The message without figures: repetitions of one alarm differ in block numbers and amounts. */
  subject: string
  /** The latest message. */
  message: string
  first_at: Date
  last_at: Date
  count: bigint
}

/** The only SQL on alarms. */
export function createAlarmStore(db: Queryable) {
  return {
    /** Adds repetitions, counted since the last call. */
    async add(rows: readonly AlarmRow[]): Promise<void> {
      await db.query(
        `insert into alarms (kind, subject, message, first_at, last_at, count)
         select kind, subject, message, first_at, last_at, count
         from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::bigint[])
           as added (kind, subject, message, first_at, last_at, count)
         on conflict (kind, subject) do update set
           message = excluded.message,
           first_at = least(alarms.first_at, excluded.first_at),
           last_at = greatest(alarms.last_at, excluded.last_at),
           count = alarms.count + excluded.count`,
        [
          rows.map(({ kind }) => kind),
          rows.map(({ subject }) => subject),
          rows.map(({ message }) => message),
          rows.map((row) => row.first_at.toISOString()),
          rows.map((row) => row.last_at.toISOString()),
          rows.map(({ count }) => count.toString()),
        ],
      )
    },

    /** The latest alarms first. */
    latest: (limit: number) =>
      db.query<AlarmRow>(
        'select kind, subject, message, first_at, last_at, count from alarms order by last_at desc, kind, subject limit $1',
        [limit],
      ),
  }
}

export type AlarmStore = ReturnType<typeof createAlarmStore>

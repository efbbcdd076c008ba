import type { Queryable } from '@clearwell/ledger/database'
import type { RowOf } from '@clearwell/ledger/table'
import { column, daysAfter, defineTable } from '@clearwell/ledger/table'
import type { AlarmKind } from './alarm-kinds.ts'

/** One row for each alarm, with all its repetitions. */
export const alarms = defineTable(
  'alarms',
  daysAfter('the alarm was last raised', { days: 'retention.alarmsDays', condition: 'last_at < $1' }),
  {
    kind: column.textOf<AlarmKind>(),
    /** The message without figures: repetitions of one alarm differ in block numbers and amounts. */
    subject: column.text,
    /** The latest message. */
    message: column.text,
    first_at: column.time,
    last_at: column.time,
    count: column.bigint,
  },
)
export type AlarmRow = RowOf<typeof alarms>

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
      db.query<AlarmRow>(`select ${alarms.columns} from alarms order by last_at desc, kind, subject limit $1`, [limit]),
  }
}

export type AlarmStore = ReturnType<typeof createAlarmStore>

import type { Queryable } from '@clearwell/ledger/database'
import { column, defineWriterTable, forever, type RowOf } from '@clearwell/ledger/table'
import { ConfigError } from '../../config/config-error.ts'

/** Restores from a bookkeeper's store: which entries came from it. */
export const restores = defineWriterTable(
  'restores',
  forever('one row for each restore: its entries have no objects'),
  {
    /** The first imported entry. */
    id: column.text,
    from_seq: column.bigint,
    to_seq: column.bigint,
    /** The last entry that was imported. */
    last_seq: column.bigint,
    /** In the operator's words. */
    reason: column.text,
    started_at: column.time,
    /** null: it was interrupted, and no server may start. */
    finished_at: column.optional(column.time),
  },
)
export type RestoreRow = RowOf<typeof restores>

/** Refuses to start on a ledger that is half restored: new entries would contradict the bookkeeper's store. @throws ConfigError */
export async function refuseHalfRestored(db: Queryable): Promise<void> {
  const rows = await db.query('select 1 from restores where finished_at is null limit 1')
  if (rows.length > 0)
    throw new ConfigError(
      'A restore from the bookkeeper was interrupted: run restore-from-bookkeeper again with --execute.',
    )
}

import type { Queryable } from '@clearwell/ledger/database'
import { column, defineWriterTable, type RowOf, until } from '@clearwell/ledger/table'

/**
 * Points for a board that do not derive from the ledger: the computing power of boxes, before the draw. The click writes
 * them; the rank feature adds each to the boards and deletes it.
 */
export const rankPoints = defineWriterTable(
  'rank_points',
  until('the boards have them'),
  {
    /** Never used twice: the box. */
    id: column.text,
    /** `power`. */
    board: column.text,
    user_id: column.user('implied'),
    /** Computing power in base units of USDT. */
    points: column.units,
    at: column.time,
  },
  { rowsAreFinal: true },
)

/** Takes the next points, the oldest first, and deletes them. */
export async function takeRankPoints(tx: Queryable, limit: number): Promise<RowOf<typeof rankPoints>[]> {
  const rows = await tx.query<RowOf<typeof rankPoints>>(
    `delete from rank_points where id = any(array(select id from rank_points order by at, id limit $1))
     returning ${rankPoints.columns}`,
    [limit],
  )
  // `returning` has no order.
  return rows.toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1))
}

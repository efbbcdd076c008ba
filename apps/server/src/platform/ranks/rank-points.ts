import { arrayLiteral } from '@clearwell/ledger/array-literal'
import type { Queryable } from '@clearwell/ledger/database'
import { column, defineTable } from '@clearwell/ledger/table'

/**
 * Points for a board that do not derive from the ledger: the computing power of boxes. Written once, in the transaction of
 * the click or of the draw; the rank feature adds each to the boards and deletes it.
 */
export const rankPoints = defineTable(
  'rank_points',
  {
    /** Never used twice: a box with the step that gives the points. */
    id: column.text,
    /** `power`. */
    board: column.text,
    user_id: column.text,
    /** Computing power in thousandths. */
    points: column.units,
    at: column.time,
  },
  { rowsAreFinal: true },
)

export interface RankPointsRow {
  readonly id: string
  readonly board: string
  readonly user_id: string
  readonly points: bigint
  readonly at: Date
}

/** Takes the next points, the oldest first, and deletes them. */
export async function takeRankPoints(tx: Queryable, limit: number): Promise<RankPointsRow[]> {
  const rows = await tx.query<RankPointsRow>(
    `delete from rank_points where id = any(array(select id from rank_points order by at, id limit $1))
     returning id, board, user_id, points, at`,
    [limit],
  )
  // `returning` has no order.
  return rows.toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1))
}

/** Gives points to users in a job's transaction. Commands write {@link rankPoints} instead. */
export async function giveRankPoints(tx: Queryable, rows: readonly RankPointsRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.query(
    `insert into rank_points (id, board, user_id, points, at)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::numeric[], $5::timestamptz[]) on conflict (id) do nothing`,
    [
      arrayLiteral(rows.map(({ id }) => id)),
      arrayLiteral(rows.map(({ board }) => board)),
      arrayLiteral(rows.map(({ user_id }) => user_id)),
      arrayLiteral(rows.map(({ points }) => points)),
      arrayLiteral(rows.map(({ at }) => at.toISOString())),
    ],
  )
}

import type { Queryable } from '@clearwell/ledger/database'
import type { RowOf } from '@clearwell/ledger/table'
import type { Amount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import type { boxes, ShareRow } from '../../domain/boxes/box.tables.ts'

/** Days of a series with one row for each asset. */
const MAX_SERIES_ROWS = 366 * 4

export type IncomeRow = Pick<RowOf<typeof boxes>, 'day'> & Omit<ShareRow, 'box_id'>

/** Reads what a user received by day and asset, oldest first. Expired rewards are left out. */
export async function incomeByDay(
  db: Queryable,
  userId: string,
  { fromDay, toDay }: { fromDay: string; toDay: string },
): Promise<IncomeRow[]> {
  const rows = await db.query<IncomeRow>(
    `select b.day, share.asset, share.units from boxes b
     join box_days d on d.day = b.day and d.divided_at is not null
     join box_shares share on share.box_id = b.id
     left join box_settlements s on s.id = b.id
     where b.user_id = $1 and b.day >= $2 and b.day < $3 and s.outcome is distinct from 'expired'
     order by b.day desc, share.asset desc limit $4`,
    [userId, fromDay, toDay, MAX_SERIES_ROWS],
  )
  return rows.toReversed()
}

/** Reads the sum of a user's claimed rewards, and how many boxes the user has. */
export async function readTotals(db: Queryable, userId: string): Promise<{ income: Amount[]; boxes: number }> {
  const [income, [counted]] = await Promise.all([
    db.query<{ asset: AssetId; units: bigint }>(
      `select share.asset, sum(share.units) as units from boxes b
       join box_settlements s on s.id = b.id and s.outcome = 'claimed'
       join box_shares share on share.box_id = b.id where b.user_id = $1 group by share.asset order by share.asset`,
      [userId],
    ),
    db.query<{ boxes: number }>('select count(*)::integer as boxes from boxes where user_id = $1', [userId]),
  ])
  return { income, boxes: counted?.boxes ?? 0 }
}

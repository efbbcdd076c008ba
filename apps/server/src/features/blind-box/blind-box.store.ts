import type { Queryable } from '@clearwell/ledger/database'
import type { AssetId } from '@clearwell/money/asset'
import { type BoxStatus, divideBox, type ToBeAssigned } from '@clearwell/rules/box-status'
import type { HongKongDay } from '@clearwell/rules/hong-kong-day'
import { type Cursor, cursorParams, olderThan } from '../../platform/http/paging.ts'
import type { AssignedBox } from './box-money.ts'

export interface BoxRow {
  id: string
  user_id: string
  day: HongKongDay
  level: number
  streak: number
  created_at: Date
  draw: number | null
  power: bigint | null
  divided_at: Date | null
  outcome: 'claimed' | 'expired' | null
  settled_at: Date | null
  assets: AssetId[]
  units: bigint[]
}

const BOX = `select b.id, b.user_id, b.day, b.level, b.streak, b.created_at, w.draw, w.power, d.divided_at, s.outcome, s.settled_at,
    coalesce((select array_agg(asset order by asset) from box_shares where box_id = b.id), '{}') as assets,
    coalesce((select array_agg(units::text order by asset) from box_shares where box_id = b.id), '{}') as units
  from boxes b left join box_days d on d.day = b.day left join box_draws w on w.box_id = b.id
  left join box_settlements s on s.id = b.id`

/** A user clicks once a day and a reward expires after 30 days, so a user has fewer claimable boxes than this. */
const MAX_CLAIMABLE = 40

/** Reads a user's boxes, newest first. */
export async function boxesOf(
  db: Queryable,
  userId: string,
  after: Cursor | undefined,
  limit: number,
): Promise<BoxRow[]> {
  const rows = await db.query<RawBoxRow>(
    `select * from (${BOX}) box where user_id = $1 and ${olderThan('$2', '$3')}
     order by created_at desc, id desc limit $4`,
    [userId, ...cursorParams(after), limit],
  )
  return rows.map(parse)
}

/** Reads a user's rewards that are neither claimed nor returned; of these boxes only, if given. */
export async function assignedOf(
  db: Queryable,
  userId: string,
  ids: readonly string[] | undefined,
): Promise<AssignedBox[]> {
  const rows = await db.query<RawBoxRow>(
    `${BOX} where b.user_id = $1 and d.divided_at is not null and s.id is null
       and ($2::text[] is null or b.id = any($2::text[]))
       and exists (select from box_shares where box_id = b.id)
     order by b.day limit ${MAX_CLAIMABLE}`,
    [userId, ids ?? null],
  )
  return rows.map(parse).flatMap(assignedBox)
}

/** Reads rewards that were assigned before a moment and are neither claimed nor returned, of all users. */
export async function assignedBefore(db: Queryable, before: Date, limit: number): Promise<AssignedBox[]> {
  const rows = await db.query<RawBoxRow>(
    `${BOX} where d.divided_at <= $1 and s.id is null and exists (select from box_shares where box_id = b.id)
     order by d.divided_at, b.id limit $2`,
    [before, limit],
  )
  return rows.map(parse).flatMap(assignedBox)
}

/** Computes the status of a box from its rows. */
export function statusOf(row: BoxRow): BoxStatus {
  if (row.divided_at === null) return { status: 2 }
  const reward = row.assets.map((asset, index) => ({ asset, units: row.units[index] ?? 0n }))
  if (row.outcome === 'expired') return { status: -1, reason: 'expired', reward }
  if (row.outcome === 'claimed' && row.settled_at) return { status: 1, reward, claimedAt: row.settled_at }
  return divideBox({ status: 2 }, reward, row.divided_at)
}

function assignedBox(row: BoxRow): AssignedBox[] {
  const status = statusOf(row)
  return status.status === 0 ? [{ ...(status satisfies ToBeAssigned), boxId: row.id, day: row.day }] : []
}

type RawBoxRow = Omit<BoxRow, 'units'> & { units: string[] }

function parse(row: RawBoxRow): BoxRow {
  return { ...row, units: row.units.map(BigInt) }
}

import type { Queryable } from '@clearwell/ledger/database'
import { readLastEntryBefore } from '@clearwell/ledger/read-day-end'
import type { RowOf } from '@clearwell/ledger/table'
import type { AssetId } from '@clearwell/money/asset'
import type { DrawRule } from '@clearwell/rules/box-draw'
import { addDays, boundsOfDay, type HongKongDay } from '@clearwell/rules/hong-kong-day'
import { boxes, type DayPhase, type DayRow } from '../../domain/boxes/box.tables.ts'
import { type Cursor, cursorParams, olderThan } from '../../platform/database/page.ts'

/** Most days that are listed as being closed, and most roots. */
const MAX_CLOSING = 7

export type ClickRow = RowOf<typeof boxes> & Pick<DayRow, 'rules'>

/** Reads everyone's latest clicks, newest first. */
export function latestClicks(db: Queryable, after: Cursor | undefined, limit: number): Promise<ClickRow[]> {
  return db.query<ClickRow>(
    `select ${boxes.columns},
       (select rules from box_days where box_days.day = boxes.day) as rules
     from boxes where ${olderThan('$1', '$2')}
     order by created_at desc, id desc limit $3`,
    [...cursorParams(after), limit],
  )
}

/** Reads the day of a user's first click. */
export async function firstDayOf(db: Queryable, userId: string): Promise<HongKongDay | null> {
  const [row] = await db.query<{ day: HongKongDay | null }>('select min(day) as day from boxes where user_id = $1', [
    userId,
  ])
  return row?.day ?? null
}

/** Reads the days before one that are not divided, the oldest first. */
export function closingDays(db: Queryable, before: HongKongDay): Promise<{ day: HongKongDay; phase: DayPhase }[]> {
  return db.query(
    `select day, phase from box_days where phase <> 'divided' and day < $1 order by day limit ${MAX_CLOSING}`,
    [before],
  )
}

export type RootRow = Pick<DayRow, 'day' | 'block_not_before'> & { readonly boxes_root: string; readonly root_at: Date }

/** Reads the roots of the latest days, newest first. */
export function latestRoots(db: Queryable): Promise<RootRow[]> {
  return db.query<RootRow>(
    `select day, boxes_root, root_at, block_not_before from box_days where boxes_root is not null
     order by day desc limit ${MAX_CLOSING}`,
  )
}

export interface DividedDay
  extends Pick<DayRow, 'day' | 'box_count' | 'total_power' | 'seed' | 'boxes_root' | 'root_at' | 'void_reason'> {
  readonly rule: DrawRule
  readonly assets: AssetId[]
  readonly shared: string[]
}

/** Reads divided days before one, the latest first. */
export function dividedDays(db: Queryable, before: string | undefined, limit: number): Promise<DividedDay[]> {
  return db.query<DividedDay>(
    `select day, rule, box_count, total_power, seed, boxes_root, root_at, void_reason,
       coalesce((select array_agg(asset order by asset) from box_pools p where p.day = d.day and shared > 0), '{}') as assets,
       coalesce((select array_agg(shared::text order by asset) from box_pools p where p.day = d.day and shared > 0), '{}') as shared
     from box_days d where phase = 'divided' and ($1::text is null or day < $1) order by day desc limit $2`,
    [before ?? null, limit],
  )
}

/** The entries of a day: after the first number, up to the second. A day that has not ended has all entries so far. */
export async function entriesOfDay(
  db: Queryable,
  day: HongKongDay,
): Promise<{ after: bigint; to: bigint | undefined } | undefined> {
  const rows = await db.query<{ day: HongKongDay; ledger_seq: bigint | null }>(
    'select day, ledger_seq from box_days where day in ($1, $2)',
    [day, addDays(day, -1)],
  )
  const own = rows.find((row) => row.day === day)
  if (!own) return undefined
  const before = rows.find((row) => row.day !== day)?.ledger_seq
  const after = before ?? (await readLastEntryBefore(db, boundsOfDay(day).opensAt)).seq
  return { after, to: own.ledger_seq ?? undefined }
}

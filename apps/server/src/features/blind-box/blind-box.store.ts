import type { Queryable } from '@clearwell/ledger/database'
import { readLastEntryBefore } from '@clearwell/ledger/read-day-end'
import type { AssetId } from '@clearwell/money/asset'
import type { DrawRule } from '@clearwell/rules/box-draw'
import type { MembershipLevel } from '@clearwell/rules/box-power'
import { addDays, boundsOfDay, type HongKongDay } from '@clearwell/rules/hong-kong-day'
import { type Cursor, cursorParams, olderThan } from '../../platform/http/paging.ts'
import type { DayPhase } from './box-day.store.ts'

/** Most days that are listed as being closed. */
const MAX_CLOSING = 7

export interface ClickRow {
  id: string
  user_id: string
  day: HongKongDay
  level: MembershipLevel
  streak: number
  created_at: Date
}

/** Reads everyone's latest clicks, newest first. */
export function latestClicks(db: Queryable, after: Cursor | undefined, limit: number): Promise<ClickRow[]> {
  return db.query<ClickRow>(
    `select id, user_id, day, level, streak, created_at from boxes where ${olderThan('$1', '$2')}
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

export interface DividedDay {
  day: HongKongDay
  rule: DrawRule
  box_count: number
  total_power: bigint
  seed: string | null
  boxes_root: string
  assets: AssetId[]
  shared: string[]
}

/** Reads divided days before one, the latest first. */
export function dividedDays(db: Queryable, before: string | undefined, limit: number): Promise<DividedDay[]> {
  return db.query<DividedDay>(
    `select day, rule, box_count, total_power, seed, boxes_root,
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

import type { Queryable } from '@clearwell/ledger/database'
import type { RowOf } from '@clearwell/ledger/table'
import type { Amount } from '@clearwell/money/amount'
import type { PoolSource } from '@clearwell/rules/box-reward'
import { type BoxRules, boxRulesText, parseBoxRules } from '@clearwell/rules/box-rules'
import type { HongKongDay } from '@clearwell/rules/hong-kong-day'
import {
  boxDays,
  type boxDraws,
  type boxes,
  boxPools,
  type boxSubtrees,
  type DayRow,
  type PoolRow,
} from '../../domain/boxes/box.tables.ts'
import { readRecord } from '../../domain/boxes/day-records.ts'

export type DayBox = Pick<RowOf<typeof boxes>, 'id' | 'level' | 'streak' | 'fees'>

export type DrawnBox = DayBox & Omit<RowOf<typeof boxDraws>, 'box_id'>

/** Publishes commitments and rules. A day that is there already keeps its own. @returns the new days */
export function commitDays(
  tx: Queryable,
  days: readonly { readonly day: HongKongDay; readonly commitment: string | null }[],
  { rules, now }: { readonly rules: BoxRules; readonly now: Date },
): Promise<DayRow[]> {
  return tx.query<DayRow>(
    `insert into box_days (day, rules, commitment, committed_at)
     select day, $4, commitment, case when commitment is null then null else $3::timestamptz end
     from unnest($1::text[], $2::text[]) as each (day, commitment) on conflict (day) do nothing
     returning ${boxDays.columns}`,
    [days.map(({ day }) => day), days.map(({ commitment }) => commitment), now, boxRulesText(rules)],
  )
}

/** The numbers of a day that has closed. */
export function rulesOfDay({ day, rules }: Pick<DayRow, 'day' | 'rules'>): BoxRules {
  if (rules === null) throw new Error(`the day ${day} has closed without rules`)
  return parseBoxRules(rules)
}

export async function readDay(db: Queryable, day: HongKongDay): Promise<DayRow | undefined> {
  return (await db.query<DayRow>(`select ${boxDays.columns} from box_days where day = $1`, [day]))[0]
}

/** True if the root of a day is on record. */
export async function hasRecordedRoot(db: Queryable, day: HongKongDay): Promise<boolean> {
  const [row] = await db.query<{ body: string }>('select body from box_day_records where id = $1', [day])
  return row !== undefined && readRecord(row.body).day.boxes_root !== null
}

export async function oldestUnfinishedDay(db: Queryable): Promise<DayRow | undefined> {
  const [row] = await db.query<DayRow>(
    `select ${boxDays.columns} from box_days where phase <> 'divided' order by day limit 1`,
  )
  return row
}

/** True if a day until this one has boxes that are not divided yet. */
export async function hasUndividedBoxes(db: Queryable, day: HongKongDay): Promise<boolean> {
  const [row] = await db.query<{ has: boolean }>(
    `select exists (select from box_days join boxes using (day) where phase <> 'divided' and day <= $1) as has`,
    [day],
  )
  return row?.has === true
}

/** Holds the day until the transaction ends. Returns false if another server has advanced it meanwhile. */
export async function holdDay(tx: Queryable, { day, phase, cursor_id }: DayRow): Promise<boolean> {
  const rows = await tx.query(
    'select from box_days where day = $1 and phase = $2 and cursor_id = $3 for update skip locked',
    [day, phase, cursor_id],
  )
  return rows.length > 0
}

/** Changes columns of a day. The names come from the code, never from input. */
export function updateDay(tx: Queryable, day: HongKongDay, changes: Partial<DayRow>): Promise<unknown> {
  const names = Object.keys(changes)
  const assignments = names.map((name, index) => `${name} = $${index + 2}`).join(', ')
  const values = Object.values(changes).map((value) => (typeof value === 'bigint' ? value.toString() : value))
  return tx.query(`update box_days set ${assignments} where day = $1`, [day, ...values])
}

/** Reads boxes of a day in the order of its tree. */
export function boxesAfter(tx: Queryable, { day, cursor_id }: DayRow, limit: number): Promise<DayBox[]> {
  return tx.query<DayBox>(
    `select id, level, streak, fees from boxes where day = $1 and id collate "C" > $2 order by id collate "C" limit $3`,
    [day, cursor_id, limit],
  )
}

export function drawnAfter(
  db: Queryable,
  { day, cursor_id }: Pick<DayRow, 'day' | 'cursor_id'>,
  limit: number,
): Promise<DrawnBox[]> {
  return db.query<DrawnBox>(
    `select id, level, streak, fees, ticket, draw, power from boxes join box_draws on box_id = id
     where day = $1 and id collate "C" > $2 order by id collate "C" limit $3`,
    [day, cursor_id, limit],
  )
}

/** Reads a box with its draw. */
export async function readDrawn(
  db: Queryable,
  boxId: string,
): Promise<(DrawnBox & { readonly day: HongKongDay }) | undefined> {
  const [row] = await db.query<DrawnBox & { day: HongKongDay }>(
    'select id, day, level, streak, fees, ticket, draw, power from boxes join box_draws on box_id = id where id = $1',
    [boxId],
  )
  return row
}

/** Reads the trees of the runs of a day, in their order: about four thousand for a million boxes. */
export function readSubtrees(db: Queryable, day: HongKongDay): Promise<{ hash: string; last_id: string }[]> {
  return db.query('select hash, last_id from box_subtrees where day = $1 order by place', [day])
}

/** Reads the boxes of the run that a box is in. */
export function readRun(db: Queryable, day: HongKongDay, boxId: string): Promise<DayBox[]> {
  return db.query<DayBox>(
    `select id, level, streak, fees from boxes where day = $1
       and id collate "C" <= (select min(last_id collate "C") from box_subtrees where day = $1 and last_id collate "C" >= $2)
       and id collate "C" > coalesce((select max(last_id collate "C") from box_subtrees where day = $1 and last_id collate "C" < $2), '')
     order by id collate "C"`,
    [day, boxId],
  )
}

/** The tree of a run of boxes that begins at a multiple of the day's length of a run. */
export type Subtree = Omit<RowOf<typeof boxSubtrees>, 'day'>

export async function insertSubtrees(tx: Queryable, day: HongKongDay, runs: readonly Subtree[]): Promise<void> {
  if (runs.length === 0) return
  await tx.query(
    `insert into box_subtrees (day, place, hash, last_id)
     select $1, * from unnest($2::integer[], $3::text[], $4::text[])`,
    [day, runs.map(({ place }) => place), runs.map(({ hash }) => hash), runs.map(({ last_id }) => last_id)],
  )
}

export function insertPools(
  tx: Queryable,
  day: HongKongDay,
  { sources, pool }: { readonly sources: readonly PoolSource[]; readonly pool: readonly Amount[] },
) {
  return tx.query(
    `insert into box_pools (day, asset, rewards, contributed, pool)
     select $1, * from unnest($2::text[], $3::numeric[], $4::numeric[], $5::numeric[])`,
    [
      day,
      sources.map(({ asset }) => asset),
      sources.map(({ rewards }) => rewards.toString()),
      sources.map(({ contributed }) => contributed.toString()),
      textsOf(pool),
    ],
  )
}

export function readPools(db: Queryable, day: HongKongDay): Promise<PoolRow[]> {
  return db.query<PoolRow>(`select ${boxPools.columns} from box_pools where day = $1 order by asset`, [day])
}

export function insertDraws(tx: Queryable, boxes: readonly DrawnBox[]): Promise<unknown> {
  return tx.query(
    `insert into box_draws (box_id, ticket, draw, power)
     select * from unnest($1::text[], $2::integer[], $3::integer[], $4::numeric[])`,
    [
      boxes.map(({ id }) => id),
      boxes.map(({ ticket }) => ticket),
      boxes.map(({ draw }) => draw),
      boxes.map(({ power }) => power.toString()),
    ],
  )
}

/** Stores rewards of boxes, and adds them to what their day shares. */
export async function insertShares(
  tx: Queryable,
  day: HongKongDay,
  shares: readonly { readonly boxId: string; readonly amount: Amount }[],
): Promise<void> {
  const amounts = shares.map(({ amount }) => amount)
  const assets = amounts.map(({ asset }) => asset)
  if (shares.length === 0) return
  await tx.query(
    'insert into box_shares (box_id, asset, units) select * from unnest($1::text[], $2::text[], $3::numeric[])',
    [shares.map(({ boxId }) => boxId), assets, textsOf(amounts)],
  )
  await tx.query(
    `update box_pools set shared = shared + added.units
     from (select asset, sum(units) as units from unnest($2::text[], $3::numeric[]) as each (asset, units) group by 1) added
     where day = $1 and box_pools.asset = added.asset`,
    [day, assets, textsOf(amounts)],
  )
}

function textsOf(amounts: readonly Amount[]): string[] {
  return amounts.map(({ units }) => units.toString())
}

import type { Queryable } from '@clearwell/ledger/database'
import type { RowOf } from '@clearwell/ledger/table'
import type { AssetId } from '@clearwell/money/asset'
import type { VoidReason } from '@clearwell/rules/box-ladder'
import type { ToBeAssigned } from '@clearwell/rules/box-status'
import type { HongKongDay } from '@clearwell/rules/hong-kong-day'
import { type Cursor, cursorParams, olderThan } from '../../platform/database/page.ts'
import type { boxDraws, boxes, boxSettlements } from './box.tables.ts'

/** A box with everything that is known about it. Its draw is null until the day's pool is shared. */
export interface BoxRow extends RowOf<typeof boxes>, Nullable<Omit<RowOf<typeof boxDraws>, 'box_id'>> {
  /** The numbers of its day; null for a day from before they were stored. */
  readonly rules: string | null
  readonly status: -1 | 0 | 1 | 2
  /** Of all the day's boxes, in base units of USDT. */
  readonly total_power: bigint | null
  /** Why the day divided nothing. */
  readonly void_reason: VoidReason | null
  readonly divided_at: Date | null
  /** When the reward expires. */
  readonly claim_until: Date | null
  readonly outcome: RowOf<typeof boxSettlements>['outcome'] | null
  readonly settled_at: Date | null
  readonly assets: AssetId[]
  readonly units: bigint[]
}
type Nullable<Row> = { readonly [Name in keyof Row]: Row[Name] | null }

const REWARD = `cross join lateral (
    select coalesce(array_agg(asset order by asset), '{}') as assets, coalesce(array_agg(units::text order by asset), '{}') as units
    from box_shares where box_id = b.id
  ) shares`

/** The columns of a {@link BoxRow}. A draw is shown once the day's pool is shared. */
const BOX = `select b.id, b.user_id, b.day, b.level, b.streak, b.fees, b.created_at, w.ticket, w.draw, w.power,
    (select rules from box_days where day = b.day) as rules,
    d.total_power, d.void_reason, d.divided_at, d.claim_until, s.outcome, s.settled_at, shares.assets, shares.units,
    case when d.divided_at is null then 2 when s.outcome = 'claimed' then 1
      when s.outcome = 'expired' or shares.assets = '{}' then -1 else 0 end as status
  from boxes b
  left join box_days d on d.day = b.day and d.divided_at is not null
  left join box_draws w on w.box_id = b.id and d.divided_at is not null
  left join box_settlements s on s.id = b.id
  ${REWARD}`

/** A claimable box of a user: fewer than this many, since a user clicks once a day and a reward expires after 30 days. */
const MAX_CLAIMABLE = 60

export interface BoxFilter {
  readonly status?: BoxRow['status'] | undefined
  /** Included. */
  readonly fromDay?: string | undefined
  /** Excluded. */
  readonly toDay?: string | undefined
  /** True: without the boxes of days that are not divided. */
  readonly isDivided?: boolean
}

/** Reads a user's boxes, newest first. */
export async function boxesOf(
  db: Queryable,
  userId: string,
  after: Cursor | undefined,
  limit: number,
  { status, fromDay, toDay, isDivided = false }: BoxFilter = {},
): Promise<BoxRow[]> {
  const rows = await db.query<RawBoxRow>(
    `select * from (${BOX} where b.user_id = $1 and b.day >= $5 and b.day < $6) box
     where ${olderThan('$2', '$3')} and ($7::integer is null or status = $7) and (not $8::boolean or status <> 2)
     order by created_at desc, id desc limit $4`,
    [userId, ...cursorParams(after), limit, fromDay ?? '', toDay ?? '9999', status ?? null, isDivided],
  )
  return rows.map(parse)
}

/** Reads the boxes of a user's divided days after one, oldest first. */
export async function boxesAscending(
  db: Queryable,
  userId: string,
  { fromDay, toDay, afterDay }: { fromDay: string; toDay: string; afterDay: string },
  limit: number,
): Promise<BoxRow[]> {
  const rows = await db.query<RawBoxRow>(
    `${BOX} where b.user_id = $1 and b.day >= $2 and b.day < $3 and b.day > $4 and d.divided_at is not null
     order by b.day limit $5`,
    [userId, fromDay, toDay, afterDay, limit],
  )
  return rows.map(parse)
}

/** Reads a user's box of a day. */
export async function boxOfDay(db: Queryable, userId: string, day: HongKongDay): Promise<BoxRow | undefined> {
  const [row] = await db.query<RawBoxRow>(`${BOX} where b.user_id = $1 and b.day = $2`, [userId, day])
  return row && parse(row)
}

/** A box with an assigned reward that is neither claimed nor returned. */
export interface OwnedBox extends ToBeAssigned {
  readonly boxId: string
  readonly userId: string
  readonly day: HongKongDay
}

/** Reads a user's rewards that can be claimed, the first to expire first; of these boxes only, if given. */
export async function claimableOf(
  db: Queryable,
  { userId, ids, now }: { userId: string; ids?: readonly string[] | undefined; now: Date },
): Promise<OwnedBox[]> {
  const rows = await db.query<RawBoxRow>(
    `${BOX} where b.user_id = $1 and d.claim_until > $2 and s.id is null and shares.assets <> '{}'
       and ($3::text[] is null or b.id = any($3::text[]))
     order by d.divided_at, b.id limit ${MAX_CLAIMABLE}`,
    [userId, now, ids ?? null],
  )
  return rows.map(parse).flatMap(owned)
}

/** A box of a divided day, with its reward if that is neither claimed nor returned. */
export interface DividedBox {
  readonly id: string
  readonly owned: OwnedBox | undefined
}

/** Reads boxes of a divided day after one, of all users, in the order of their ids. It reads `boxes` from their index alone. */
export async function dividedAfter(
  db: Queryable,
  { day, cursor_id }: { readonly day: HongKongDay; readonly cursor_id: string },
  limit: number,
): Promise<DividedBox[]> {
  const rows = await db.query<RawOwnedRow & { is_owned: boolean }>(
    `select b.id, b.user_id, b.day, d.claim_until, shares.assets, shares.units, s.id is null and shares.assets <> '{}' as is_owned
     from boxes b join box_days d on d.day = b.day left join box_settlements s on s.id = b.id ${REWARD}
     where b.day = $1 and b.id collate "C" > $2 order by b.id collate "C" limit $3`,
    [day, cursor_id, limit],
  )
  return rows.map((row) => ({ id: row.id, owned: row.is_owned ? owned(parse(row))[0] : undefined }))
}

/** Reads which of these boxes are the user's, with their status. */
export function statusesOf(
  db: Queryable,
  userId: string,
  ids: readonly string[],
): Promise<Pick<BoxRow, 'id' | 'status' | 'outcome'>[]> {
  return db.query(`select id, status, outcome from (${BOX} where b.user_id = $1 and b.id = any($2::text[])) box`, [
    userId,
    ids,
  ])
}

type OwnedRow = Pick<BoxRow, 'id' | 'user_id' | 'day' | 'assets' | 'units' | 'claim_until'>

function owned({ id, user_id, day, assets, units, claim_until: expiresAt }: OwnedRow): OwnedBox[] {
  if (expiresAt === null) return []
  const reward = assets.map((asset, index) => ({ asset, units: units[index] ?? 0n }))
  return [{ status: 0, boxId: id, userId: user_id, day, reward, expiresAt }]
}

type RawBoxRow = Omit<BoxRow, 'units'> & { units: string[] }
type RawOwnedRow = Omit<OwnedRow, 'units'> & { units: string[] }

function parse<Row extends { units: string[] }>(row: Row): Omit<Row, 'units'> & { units: bigint[] } {
  return { ...row, units: row.units.map(BigInt) }
}

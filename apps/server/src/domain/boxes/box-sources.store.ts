import { requireEntriesAfter } from '@clearwell/ledger/archives'
import type { Queryable } from '@clearwell/ledger/database'
import { type AccountChange, readChanges } from '@clearwell/ledger/read-changes'
import type { RowOf } from '@clearwell/ledger/table'
import { column, defineTable, forever } from '@clearwell/ledger/table'
import type { Amount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import { type HongKongDay, hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import { REWARDS } from '../../platform/ledger/accounts.ts'

export const boxSources = defineTable('box_sources', forever('the revenue behind each pool: a few rows a day'), {
  day: column.day,
  asset: column.asset,
  kind: column.text,
  units: column.units,
  entries: column.integer,
})

export const boxSourceCursor = defineTable('box_source_cursor', forever('one row'), {
  id: column.integer,
  /** The last entry that is counted. */
  seq: column.bigint,
  /** The first day that later entries can belong to. */
  first_day: column.day,
})

/** The kind of the entry that takes a day's rewards out of `rewards`. */
export const DIVISION = 'box_division'

/** Changes of `rewards` within a day by entries of one kind. */
export type SourceRow = Omit<RowOf<typeof boxSources>, 'day'>

type SourceCursor = RowOf<typeof boxSourceCursor>

/** Reads how far the ledger is counted. Within a transaction it holds the count until that ends. */
export async function readSourceCursor(on: Queryable, { holds = false } = {}): Promise<SourceCursor> {
  const [row] = await on.query<SourceCursor>(
    `select ${boxSourceCursor.columns} from box_source_cursor where id = 1 ${holds ? 'for update' : ''}`,
  )
  if (!row) throw new Error('the count of the sources has no cursor')
  return row
}

/**
 * Counts the next entries of the ledger: their changes of `rewards`, by day, asset and kind. The divisions are left out: a
 * day's rewards leave the balance at its own end, also if a server slept and divided it later.
 *
 * @returns how many entries were read.
 */
export async function countSources(tx: Queryable, limit: number): Promise<number> {
  const { seq, first_day } = await readSourceCursor(tx, { holds: true })
  await requireEntriesAfter(tx, seq)
  const read = await readChanges(tx, { account: REWARDS, after: seq, order: 'oldest_first', entries: limit })
  if (read.last === undefined) return 0
  const sums = sumsOf(read.changes, first_day)
  if (sums.length > 0) await addSources(tx, sums)
  await tx.query('update box_source_cursor set seq = $1 where id = 1', [read.last.toString()])
  return read.entries
}

function sumsOf(changes: readonly AccountChange[], firstDay: HongKongDay): RowOf<typeof boxSources>[] {
  const sums = new Map<string, RowOf<typeof boxSources>>()
  for (const { at, asset, kind, units } of changes) {
    if (kind === DIVISION) continue
    const own = hongKongDayOf(at)
    const day = own > firstDay ? own : firstDay
    const name = `${day} ${asset} ${kind}`
    const sum = sums.get(name) ?? { day, asset, kind, units: 0n, entries: 0 }
    sums.set(name, { ...sum, units: sum.units + units, entries: sum.entries + 1 })
  }
  return [...sums.values()]
}

function addSources(tx: Queryable, sums: readonly RowOf<typeof boxSources>[]): Promise<unknown> {
  return tx.query(
    `insert into box_sources (day, asset, kind, units, entries)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::numeric[], $5::integer[])
     on conflict (day, asset, kind) do update
       set units = box_sources.units + excluded.units, entries = box_sources.entries + excluded.entries`,
    [
      sums.map(({ day }) => day),
      sums.map(({ asset }) => asset),
      sums.map(({ kind }) => kind),
      sums.map(({ units }) => units.toString()),
      sums.map(({ entries }) => entries),
    ],
  )
}

/** Later entries belong to this day or a later one, also if a clock went back. */
export function beginDay(tx: Queryable, day: HongKongDay): Promise<unknown> {
  return tx.query('update box_source_cursor set first_day = greatest(first_day, $1) where id = 1', [day])
}

/**
 * Reads the `rewards` balance of each asset at the end of a day, as if every day before it had been divided at its own end.
 * For a day that has not ended: the balance so far.
 */
export async function readRewardsOf(on: Queryable, day: HongKongDay): Promise<Amount[]> {
  return on.query<{ asset: AssetId; units: bigint }>(
    `select asset, sum(units) as units from (
       select asset, units from box_sources where day <= $1
       union all
       select asset, -shared from box_pools where day < $1
     ) changes group by asset order by asset`,
    [day],
  )
}

/** Reads the changes within a day, the largest kinds of an asset first. */
export function readSources(on: Queryable, day: HongKongDay): Promise<SourceRow[]> {
  return on.query<SourceRow>(
    'select asset, kind, units, entries from box_sources where day = $1 order by asset, units desc, kind',
    [day],
  )
}

/** Entries that are looked at together, and how often for one page. Only few of them do not change `rewards`. */
const SCANNED = 250
const MAX_SCANS = 8

/**
 * Reads the changes behind a day's pool, newest first, in bounded work: a page may have fewer rows than `limit`.
 *
 * @param range entries after `after` and before `below`.
 * @returns with the entry before which the next page begins; `undefined` at the end.
 */
export async function readSourceEntries(
  on: Queryable,
  { after, below, asset, limit }: { after: bigint; below: bigint; asset: AssetId | undefined; limit: number },
): Promise<{ rows: AccountChange[]; next: bigint | undefined }> {
  const rows: AccountChange[] = []
  let next = below
  for (let scan = 0; scan < MAX_SCANS; scan++) {
    const query = { account: REWARDS, after, below: next, order: 'newest_first', entries: SCANNED } as const
    const read = await readChanges(on, query)
    const found = read.changes.filter((each) => each.kind !== DIVISION && (asset === undefined || each.asset === asset))
    for (const row of found) {
      // All changes by an entry are on one page, so that the cursor is an entry.
      if (rows.length >= limit && row.seq !== rows.at(-1)?.seq) return { rows, next: rows.at(-1)?.seq }
      rows.push(row)
    }
    if (read.entries < SCANNED || read.last === undefined) return { rows, next: undefined }
    next = read.last
  }
  return { rows, next }
}

import { ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import type { UnitRange } from '@clearwell/money/decimal'
import type { Queryable } from './database.ts'

/** A posting with its entry. */
export interface PostingRow {
  readonly entry_seq: bigint
  readonly position: number
  readonly kind: string
  readonly account: string
  readonly asset: AssetId
  readonly units: bigint
  readonly balance_after: bigint
  readonly reference: string
  readonly at: Date
}

/** The position of a posting in the order of the ledger. */
export interface PostingCursor {
  readonly seq: bigint
  readonly position: number
}

/** Entries from one number to another, both included. */
export interface SeqRange {
  readonly from: bigint
  readonly to: bigint
}

/** Matches an entry by the beginning of its reference, or by the amount of one of its postings, in or out. */
export type PostingMatch =
  | { readonly reference: string }
  | { readonly units: Readonly<Partial<Record<AssetId, UnitRange>>> }

export interface PostingQuery {
  /** Accounts of users, or `vault`: only their postings are stored by account. */
  readonly accounts: readonly string[]
  readonly asset: AssetId | undefined
  /** Only these kinds; all of them if undefined. */
  readonly kinds: readonly string[] | undefined
  /** Only entries with a posting that matches; all of them if undefined. */
  readonly match?: PostingMatch | undefined
  readonly range: SeqRange
  readonly order: 'newest_first' | 'oldest_first'
  /** The last posting of the page before. */
  readonly after: PostingCursor | undefined
  readonly limit: number
}

/** Finds the entries from `from` (included) to `to` (excluded). */
export async function readRange(
  db: Queryable,
  { from, to }: { from?: Date | undefined; to?: Date | undefined },
): Promise<SeqRange> {
  const [row] = await db.query<{ first: bigint | null; last: bigint | null }>(
    `select
       (select seq from entries where at >= $1::timestamptz order by at, seq limit 1) as first,
       (select seq from entries where at < $2::timestamptz order by at desc, seq desc limit 1) as last`,
    [from ?? '-infinity', to ?? 'infinity'],
  )
  return row?.first && row.last ? { from: row.first, to: row.last } : { from: 1n, to: 0n }
}

/**
 * The kind of nearly all entries. The index by kind leaves it out, so a page of it is searched for in the
 * order of the account.
 */
const FREQUENT_KIND = 'swap'
/** Most postings that a page looks at when it cannot find them by an index. */
const MAX_SCANNED = 2_000

export interface PostingPage {
  readonly rows: PostingRow[]
  /** The last posting that was looked at, if the page ended there before it was full: the list continues after it. */
  readonly scannedTo: PostingCursor | undefined
}

/**
 * Reads a page of the postings on these accounts, in bounded work for any history. A page may have fewer rows than `limit`,
 * even none, although more follow: see {@link PostingPage.scannedTo}.
 *
 * @param maxScanned most postings to look at.
 */
export async function readPostingPage(
  db: Queryable,
  query: PostingQuery,
  maxScanned = MAX_SCANNED,
): Promise<PostingPage> {
  const { kinds, match, limit } = query
  const hasFrequent = kinds?.includes(FREQUENT_KIND) ?? false
  if (!hasFrequent && match === undefined) return { rows: await readPostings(db, query), scannedTo: undefined }
  const scan = { ...query, kinds: hasFrequent ? undefined : kinds, limit: maxScanned }
  const found = await db.query<PostingRow & { is_last: boolean }>(scanText(scan), [
    ...pageParams(scan),
    kinds ?? null,
    limit,
    ...matchParams(match),
  ])
  const last = found.find((row) => row.is_last)
  const rows = found.filter((row) => !row.is_last).map(({ is_last, ...row }) => row)
  const isCutShort = last !== undefined && rows.length < limit
  return { rows, scannedTo: isCutShort ? { seq: last.entry_seq, position: last.position } : undefined }
}

/** Reads a page of the postings on these accounts, without `match`. Of the frequent kind it may read a whole history. */
export function readPostings(db: Queryable, query: Omit<PostingQuery, 'match'>): Promise<PostingRow[]> {
  const { order, kinds } = query
  const text = withEntries(`(${mergedText(order, kinds)}) p`, '', order)
  return db.query<PostingRow>(text, [...pageParams(query), ...(kinds === undefined ? [] : [kinds])])
}

function pageParams({ accounts, asset, range, order, after, limit }: Omit<PostingQuery, 'match'>): unknown[] {
  return [
    accounts,
    asset === undefined ? ASSET_IDS : [asset],
    range.from.toString(),
    range.to.toString(),
    ...cursorParams(order, after),
    limit,
  ]
}

/** `$10` for a reference; `$10` to `$12` for amounts by asset. */
function matchParams(match: PostingMatch | undefined): unknown[] {
  if (match === undefined) return []
  if ('reference' in match) return [match.reference]
  const wanted = Object.entries(match.units)
  return [
    wanted.map(([asset]) => asset),
    wanted.map(([, { from }]) => from.toString()),
    wanted.map(([, { below }]) => below.toString()),
  ]
}

/**
 * Builds the SQL of a page that looks at postings: of the first `$7`, at most `$9` of the kinds `$8` that match, and the
 * last one looked at. All postings of a matching entry are kept, so that a swap stays whole.
 */
function scanText({ order, kinds, match }: PostingQuery): string {
  const byPlace = byPlaceOf('found', order)
  return `with found as materialized (${mergedText(order, kinds)})
    ${withEntries(
      `(
        (select found.*, false as is_last from found
         where ($8::text[] is null or kind = any ($8::text[])) ${matchText(match)} order by ${byPlace} limit $9)
        union all
        (select found.*, true as is_last from found order by ${byPlace} offset $7::bigint - 1 limit 1)
      ) p`,
      ', p.is_last',
      order,
    )}`
}

function matchText(match: PostingMatch | undefined): string {
  if (match === undefined) return ''
  const matching =
    'reference' in match
      ? `found f cross join lateral (select reference from entries where seq = f.entry_seq offset 0) e
         where starts_with(lower(e.reference), lower($10::text))`
      : `found f join unnest($10::text[], $11::numeric[], $12::numeric[]) as wanted (asset, least, below)
         on f.asset = wanted.asset and abs(f.units) >= wanted.least and abs(f.units) < wanted.below`
  return `and entry_seq in (select f.entry_seq from ${matching})`
}

/**
 * Reads each account and asset from the cursor up to the limit, each of the kinds `$8` alone, and merges these into the page.
 * So a page costs the same at any position and for any length of history.
 */
function mergedText(order: PostingQuery['order'], kinds: readonly string[] | undefined): string {
  const beyond = order === 'newest_first' ? '<' : '>'
  // The second condition lets the planner choose the index by kind, which leaves the frequent kind out.
  const rare = kinds?.includes(FREQUENT_KIND) ? '' : `and owner_postings.kind <> '${FREQUENT_KIND}'`
  return `select each.* from unnest($1::text[]) as mine (account) cross join unnest($2::text[]) as held (asset)
    ${kinds === undefined ? '' : 'cross join unnest($8::text[]) as named (kind)'}
    cross join lateral (
      select * from owner_postings
      where account = mine.account and asset = held.asset and entry_seq between $3::bigint and $4::bigint
        and (entry_seq, position) ${beyond} ($5::bigint, $6::integer)
        ${kinds === undefined ? '' : `and owner_postings.kind = named.kind ${rare}`}
      order by ${byPlaceOf('owner_postings', order)} limit $7
    ) each
    order by ${byPlaceOf('each', order)} limit $7`
}

/** Selects the postings of `from`, named `p`, with their entries. */
function withEntries(from: string, more: string, order: PostingQuery['order']): string {
  return `select p.entry_seq, p.position, p.kind, p.account, p.asset, p.units, p.balance_after, e.reference, e.at${more}
    from ${from} cross join lateral (select reference, at from entries where seq = p.entry_seq offset 0) e
    order by ${byPlaceOf('p', order)}`
}

function byPlaceOf(table: string, order: PostingQuery['order']): string {
  const direction = order === 'newest_first' ? 'desc' : 'asc'
  return `${table}.entry_seq ${direction}, ${table}.position ${direction}`
}

/** Without a cursor, the first page starts before the newest or the oldest posting. */
function cursorParams(order: PostingQuery['order'], after: PostingCursor | undefined): [string, number] {
  if (after) return [after.seq.toString(), after.position]
  return order === 'newest_first' ? ['9223372036854775807', 0] : ['0', 0]
}

/** Reads the postings on users' accounts of the entries after `after` and up to `to`; on `accounts` only, if given. */
export function readUserPostings(
  db: Queryable,
  { after, to, accounts }: { after: bigint; to: bigint; accounts: readonly string[] | undefined },
): Promise<PostingRow[]> {
  return db.query<PostingRow>(
    `select p.entry_seq, p.position, e.kind, p.account, p.asset, p.units, p.balance_after, e.reference, e.at
     from (
       -- In a subquery: beside a condition on the account the planner would read whole accounts instead.
       select * from postings where entry_seq > $1 and entry_seq <= $2 offset 0
     ) p join entries e on e.seq = p.entry_seq
     where ${accounts ? 'p.account in (select unnest($3::text[]))' : `p.account like 'user:%'`}
     order by p.entry_seq, p.position`,
    [after.toString(), to.toString(), ...(accounts ? [accounts] : [])],
  )
}

/** Sums the postings of the entries after `after` and up to `to`, by asset: each sum must be zero. */
export function sumPostings(
  db: Queryable,
  { after, to }: { after: bigint; to: bigint },
): Promise<{ asset: AssetId; units: bigint }[]> {
  return db.query<{ asset: AssetId; units: bigint }>(
    `select asset, sum(units) as units from postings where entry_seq > $1 and entry_seq <= $2
     group by asset order by asset`,
    [after.toString(), to.toString()],
  )
}

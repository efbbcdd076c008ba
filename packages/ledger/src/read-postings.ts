import { ASSET_IDS, type AssetId } from '@clearwell/money/asset'
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

export interface PostingQuery {
  /** Accounts of users, or `vault`: only their postings are stored by account. */
  readonly accounts: readonly string[]
  readonly asset: AssetId | undefined
  readonly kind: string | undefined
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

/** Reads a page of the postings on these accounts. */
export function readPostings(
  db: Queryable,
  { accounts, asset, kind, range, order, after, limit }: PostingQuery,
): Promise<PostingRow[]> {
  return db.query<PostingRow>(pageText(order, kind !== undefined), [
    accounts,
    asset === undefined ? ASSET_IDS : [asset],
    range.from.toString(),
    range.to.toString(),
    ...cursorParams(order, after),
    limit,
    ...(kind === undefined ? [] : [kind]),
  ])
}

/**
 * Builds the SQL of a page. It reads each account and asset from the cursor up to the limit, and merges these into the page.
 * So a page costs the same at any position and for any length of history.
 */
function pageText(order: PostingQuery['order'], hasKind: boolean): string {
  const [direction, beyond] = order === 'newest_first' ? ['desc', '<'] : ['asc', '>']
  return `select p.entry_seq, p.position, e.kind, p.account, p.asset, p.units, p.balance_after, e.reference, e.at
    from (
      select found.* from unnest($1::text[]) as mine (account) cross join unnest($2::text[]) as held (asset)
      cross join lateral (
        select * from owner_postings
        where account = mine.account and asset = held.asset and entry_seq between $3::bigint and $4::bigint
          and (entry_seq, position) ${beyond} ($5::bigint, $6::integer)
          ${hasKind ? 'and (select kind from entries where seq = entry_seq) = $8::text' : ''}
        order by entry_seq ${direction}, position ${direction} limit $7
      ) found
      order by found.entry_seq ${direction}, found.position ${direction} limit $7
    ) p
    cross join lateral (select kind, reference, at from entries where seq = p.entry_seq offset 0) e
    order by p.entry_seq ${direction}, p.position ${direction}`
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

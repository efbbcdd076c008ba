import type { AssetId } from '@clearwell/money/asset'
import type { Queryable } from './database.ts'
import type { BalanceRow } from './read-balances.ts'

/** The sum of an account owner's postings of one kind and asset within an hour. */
export interface HourlyFlow {
  readonly kind: string
  readonly asset: AssetId
  /** Base units; negative where they left. */
  readonly units: bigint
  /** The latest entry of the hour. */
  readonly at: Date
}

export interface HoldingsAndFlows {
  /** The current balances above zero. */
  readonly held: BalanceRow[]
  /** `undefined` where more postings match than a request may read. */
  readonly flows: HourlyFlow[] | undefined
}

/** Most postings that one request sums up. */
const MAX_POSTINGS = 5_000

interface Row {
  readonly account: string | null
  readonly kind: string | null
  readonly asset: AssetId
  readonly units: bigint
  readonly at: Date | null
  readonly postings: bigint
}

/**
 * Reads the current balances and what flowed in and out after a time. One statement, so both belong to the same entry:
 * a flow is never counted without its balance.
 *
 * @param kinds of rare entries; swaps are too many to sum up.
 */
export async function readHoldingsAndFlows(
  db: Queryable,
  { accounts, kinds, after }: { accounts: readonly string[]; kinds: readonly string[]; after: Date },
  maxPostings = MAX_POSTINGS,
): Promise<HoldingsAndFlows> {
  const rows = await db.query<Row>(
    `select account, null as kind, asset, units, null::timestamptz as at, 0::bigint as postings
     from balances where account = any($1::text[]) and units > 0
     union all
     select null, found.kind, found.asset, sum(found.units), max(found.at), count(*)
     from (
       select p.kind, p.asset, p.units, e.at
       from owner_postings p cross join lateral (select at from entries where seq = p.entry_seq offset 0) e
       where p.account = any($1::text[]) and p.kind = any($2::text[]) and p.kind <> 'swap'
         and p.entry_seq > coalesce((select seq from entries where at <= $3::timestamptz order by at desc, seq desc limit 1), 0)
       limit $4
     ) found
     group by found.kind, found.asset, date_bin('1 hour', found.at, '2000-01-01T00:00Z')`,
    [accounts, kinds, after.toISOString(), maxPostings + 1],
  )
  const held = rows.flatMap(({ account, asset, units }) => (account === null ? [] : [{ account, asset, units }]))
  const flows = rows.flatMap(({ kind, asset, units, at }) =>
    kind === null || at === null ? [] : [{ kind, asset, units, at }],
  )
  const read = rows.reduce((sum, { postings }) => sum + postings, 0n)
  return { held, flows: read > BigInt(maxPostings) ? undefined : flows }
}

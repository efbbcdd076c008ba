import type { AssetId } from '@clearwell/money/asset'
import type { Queryable } from './database.ts'

/** A change of one account by one entry. */
export interface AccountChange {
  readonly seq: bigint
  readonly kind: string
  readonly at: Date
  /** The entry's hash, which covers every earlier entry. */
  readonly hash: Uint8Array
  readonly asset: AssetId
  readonly units: bigint
}

/** Changes of an account by some entries, in their order. */
export interface ChangesRead {
  readonly changes: AccountChange[]
  /** The last entry that was looked at; `undefined` if there was none. */
  readonly last: bigint | undefined
  /** How many entries were looked at. */
  readonly entries: number
}

/**
 * Reads the changes of an account by the next entries of the ledger. For accounts that take part in most entries, such as
 * those of revenue: no index leads to their postings.
 *
 * @param query.after,query.below bounds of the entries, both excluded.
 * @param query.entries most entries to look at.
 */
export async function readChanges(
  db: Queryable,
  query: {
    readonly account: string
    readonly after: bigint
    readonly below?: bigint | undefined
    readonly order: 'newest_first' | 'oldest_first'
    readonly entries: number
  },
): Promise<ChangesRead> {
  const direction = query.order === 'newest_first' ? 'desc' : 'asc'
  const rows = await db.query<Omit<AccountChange, 'asset'> & { asset: AssetId | null }>(
    `select seq, kind, at, hash, asset, units from (
       select * from entries where seq > $1 and seq < $2 order by seq ${direction} limit $3
     ) entry left join lateral (
       select asset, units from unnest(accounts, assets, amounts) as posting (account, asset, units) where account = $4
     ) change on true
     order by seq ${direction}, asset`,
    [query.after.toString(), (query.below ?? LAST).toString(), query.entries, query.account],
  )
  const changes = rows.flatMap((row) => {
    const { asset } = row
    return asset === null ? [] : [{ ...row, asset, hash: new Uint8Array(row.hash) }]
  })
  return { changes, last: rows.at(-1)?.seq, entries: new Set(rows.map(({ seq }) => seq)).size }
}

/** No entry has this number. */
const LAST = 9_223_372_036_854_775_807n

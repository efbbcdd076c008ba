import type { EntryKind } from '@clearwell/api/entry-kinds'
import type { Database } from '@clearwell/ledger/database'
import { ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import type { Cursor } from '../../platform/http/paging.ts'

export interface LogRow {
  entry_seq: bigint
  position: number
  kind: EntryKind
  account: string
  asset: AssetId
  units: bigint
  balance_after: bigint
  reference: string
  at: Date
}

/** A posting's place in the order of the ledger. */
export interface LogCursor {
  readonly seq: bigint
  readonly position: number
}

/** Entries from one number to another, both included. */
export interface SeqRange {
  readonly from: bigint
  readonly to: bigint
}

export interface LogQuery {
  readonly accounts: readonly string[]
  readonly asset: AssetId | undefined
  readonly kind: string | undefined
  readonly range: SeqRange
  readonly order: 'newest_first' | 'oldest_first'
  /** The last posting of the page before. */
  readonly after: LogCursor | undefined
  readonly limit: number
}

export interface HeldRow {
  account: string
  asset: AssetId
  units: bigint
}

/** The number is the index of the time that was asked for. */
export interface HeldAtRow extends HeldRow {
  index: number
}

/** A payment into the vault or out of it that is in the ledger. */
export interface ConfirmedRow {
  id: string
  kind: 'transfer_in' | 'activation' | 'transfer_out'
  asset: AssetId
  units: bigint
  tx_hash: string
  order_id: string | null
  at: Date
}

export interface OrderRow {
  id: string
  asset: AssetId
  purpose: 'transfer_in' | 'activation'
}

/** What became of one's money: reads only. */
export function createHistoryStore(db: Database) {
  return {
    /** The entries from a time on and before another that are there now. */
    async range({ from, to }: { from?: Date | undefined; to?: Date | undefined }): Promise<SeqRange> {
      const [row] = await db.query<{ first: bigint | null; last: bigint | null }>(
        `select
           (select seq from entries where at >= $1::timestamptz order by at, seq limit 1) as first,
           (select seq from entries where at < $2::timestamptz order by at desc, seq desc limit 1) as last`,
        [from ?? '-infinity', to ?? 'infinity'],
      )
      return row?.first && row.last ? { from: row.first, to: row.last } : { from: 1n, to: 0n }
    },

    logs: ({ accounts, asset, kind, range, order, after, limit }: LogQuery) =>
      db.query<LogRow>(logsText(order, kind !== undefined), [
        accounts,
        asset === undefined ? ASSET_IDS : [asset],
        range.from.toString(),
        range.to.toString(),
        ...cursorParams(order, after),
        limit,
        ...(kind === undefined ? [] : [kind]),
      ]),

    held: (accounts: readonly string[]) =>
      db.query<HeldRow>('select account, asset, units from balances where account = any($1::text[]) and units > 0', [
        accounts,
      ]),

    /** What stood in each account at each time: a look into an index for each, however many entries there are. */
    heldAt: (accounts: readonly string[], times: readonly Date[]) =>
      db.query<HeldAtRow>(
        `select (point.number - 1)::integer as index, mine.account, mine.asset, last.balance_after as units
         from unnest($2::timestamptz[]) with ordinality as point (at, number)
         cross join lateral (
           select seq from entries where at <= point.at order by at desc, seq desc limit 1
         ) entry
         cross join (select account, asset from balances where account = any($1::text[])) mine
         cross join lateral (
           select balance_after from owner_postings p
           where p.account = mine.account and p.asset = mine.asset and p.entry_seq <= entry.seq
           order by p.entry_seq desc, p.position desc limit 1
         ) last
         where last.balance_after > 0`,
        [accounts, times.map((time) => time.toISOString())],
      ),

    orders: async (userId: string, ids: readonly string[]): Promise<OrderRow[]> =>
      ids.length === 0
        ? []
        : db.query<OrderRow>(
            'select id, asset, purpose from deposit_orders where user_id = $1 and id = any($2::text[])',
            [userId, ids],
          ),

    /** What of the user's is in the ledger of all that is on the chain, newest first. */
    confirmed: (userId: string, after: Cursor | undefined, limit: number) =>
      db.query<ConfirmedRow>(
        `select * from (
           (select d.id, coalesce(o.purpose, 'transfer_in') as kind, d.asset, d.units, d.tx_hash, d.order_id,
              d.credited_at as at
            from deposits d left join deposit_orders o on o.id = d.order_id
            where d.user_id = $1 and (d.credited_at, d.id collate "C") < ($2::timestamptz, $3::text)
            order by d.credited_at desc, d.id collate "C" desc limit $4)
           union all
           (select id, 'transfer_out', asset, amount, tx_hash, id, completed_at
            from withdrawal_orders
            where user_id = $1 and status = 'completed'
              and (completed_at, id collate "C") < ($2::timestamptz, $3::text)
            order by completed_at desc, id collate "C" desc limit $4)
         ) each order by at desc, id collate "C" desc limit $4`,
        [userId, after?.at ?? 'infinity', after?.id ?? '', limit],
      ),
  }
}

export type HistoryStore = ReturnType<typeof createHistoryStore>

/**
 * A page of postings. Each of the user's few accounts is read from the cursor on in each asset, up to the limit, and the
 * best of these are the page: so a page costs the same wherever it is and however long the accounts are.
 */
function logsText(order: LogQuery['order'], hasKind: boolean): string {
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

/** Where nothing came before, the page starts at the end that its order starts from. */
function cursorParams(order: LogQuery['order'], after: LogCursor | undefined): [string, number] {
  if (after) return [after.seq.toString(), after.position]
  return order === 'newest_first' ? ['9223372036854775807', 0] : ['0', 0]
}

import type { Database } from '@clearwell/ledger/database'
import { readPastBalances } from '@clearwell/ledger/read-balances'
import { readHoldingsAndFlows } from '@clearwell/ledger/read-flows'
import { type PostingQuery, readPostingPage, readRange } from '@clearwell/ledger/read-postings'
import type { AssetId } from '@clearwell/money/asset'
import type { Cursor } from '../../platform/http/paging.ts'

/** A payment into or out of the vault, recorded in the ledger. */
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

/** Reads a user's postings from the ledger, and the payments behind them. */
export function createHistoryStore(db: Database) {
  return {
    range: (period: { from?: Date | undefined; to?: Date | undefined }) => readRange(db, period),
    logs: (query: PostingQuery) => readPostingPage(db, query),
    heldAndFlows: (query: Parameters<typeof readHoldingsAndFlows>[1]) => readHoldingsAndFlows(db, query),
    heldAt: (accounts: readonly string[], times: readonly Date[]) => readPastBalances(db, accounts, times),

    orders: async (userId: string, ids: readonly string[]): Promise<OrderRow[]> =>
      ids.length === 0
        ? []
        : db.query<OrderRow>(
            'select id, asset, purpose from deposit_orders where user_id = $1 and id = any($2::text[])',
            [userId, ids],
          ),

    /** The user's confirmed payments in both directions, newest first. */
    confirmed: (userId: string, after: Cursor | undefined, limit: number) =>
      db.query<ConfirmedRow>(
        `select * from (
           (select d.id, coalesce(o.purpose, 'transfer_in') as kind, d.asset, d.units, d.tx_hash, d.order_id,
              d.credited_at as at
            from deposits d left join deposit_orders o on o.id = d.order_id
            where d.user_id = $1 and d.taken_back_at is null and (d.credited_at, d.id collate "C") < ($2::timestamptz, $3::text)
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

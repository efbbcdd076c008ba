import { type ArchiveEnd, readArchiveEndOf } from '@clearwell/ledger/archives'
import type { Database } from '@clearwell/ledger/database'
import { type PastBalanceRow, readPastBalances } from '@clearwell/ledger/read-balances'
import { readHoldingsAndFlows } from '@clearwell/ledger/read-flows'
import { type PostingQuery, readPostingPage, readRange } from '@clearwell/ledger/read-postings'
import { readOneMoment } from '@clearwell/ledger/reads'
import type { RowOf } from '@clearwell/ledger/table'
import type { AssetId } from '@clearwell/money/asset'
import { type PastDebt, readOwed, readPastOwed } from '../../domain/lending/owed.ts'
import { type PledgeMoment, readPastPledged, readPledged } from '../../domain/lending/pledge-values.ts'
import { type Cursor, cursorParams } from '../../platform/database/page.ts'
import { userAccounts } from '../../platform/ledger/accounts.ts'
import type { depositOrders } from '../../platform/ledger/deposit-orders.ts'
import type { Role } from '../../platform/operator/roles.ts'

type FlowQuery = Omit<Parameters<typeof readHoldingsAndFlows>[1], 'accounts'>

interface PastHoldings {
  readonly held: readonly PastBalanceRow[]
  readonly owed: readonly PastDebt[]
}

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

/** An action of the operator that concerns an account. */
export interface ActRow {
  readonly id: string
  readonly kind: string
  readonly role: Role
  readonly is_by_two: boolean
  readonly reason: string
  readonly at: Date
}

export type OrderRow = Pick<RowOf<typeof depositOrders>, 'id' | 'asset'> & {
  readonly purpose: 'transfer_in' | 'activation'
}

/** Reads a user's postings from the ledger, and the payments behind them. */
export function createHistoryStore(db: Database) {
  return {
    range: (period: { from?: Date | undefined; to?: Date | undefined }) => readRange(db, period),
    logs: (query: PostingQuery) => readPostingPage(db, query),
    /** Where the archives end, if they have entries of the user that a list from this time on would show. */
    async archived(userId: string, from?: Date): Promise<ArchiveEnd | undefined> {
      const end = await readArchiveEndOf(db, userAccounts(userId))
      return end && (from === undefined || from <= end.at) ? end : undefined
    },
    /** The user's holdings with the pledges, the flows and the debt, of one moment. */
    heldAndFlows: (userId: string, query: FlowQuery, moment: PledgeMoment) =>
      readOneMoment(db, async (tx) => {
        const { held, flows } = await readHoldingsAndFlows(tx, { ...query, accounts: userAccounts(userId) })
        const pledged = await readPledged(tx, userId, moment)
        return { held: [...held, ...pledged], flows, owed: await readOwed(tx, userId, moment.now) }
      }),
    /** The user's holdings with the pledges at past times, and the debts. */
    async heldAt(userId: string, times: readonly Date[]): Promise<PastHoldings> {
      const held = await readPastBalances(db, userAccounts(userId), times)
      const pledged = await readPastPledged(db, userId, times)
      return { held: [...held, ...pledged], owed: await readPastOwed(db, userId, times) }
    },

    orders: async (userId: string, ids: readonly string[]): Promise<OrderRow[]> =>
      ids.length === 0
        ? []
        : db.query<OrderRow>(
            'select id, asset, purpose from deposit_orders where user_id = $1 and id = any($2::text[])',
            [userId, ids],
          ),

    /** Actions of the operator's persons about the account, newest first. */
    acts: (userId: string, after: Cursor | undefined, limit: number) =>
      db.query<ActRow>(
        `select id, kind, role, second_person is not null as is_by_two, reason, at from operator_actions
         where account = $1 and (at, id) < ($2::timestamptz, $3::text) order by at desc, id desc limit $4`,
        [userId, ...cursorParams(after), limit],
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

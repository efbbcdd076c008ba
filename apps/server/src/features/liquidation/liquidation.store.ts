import { arrayLiteral } from '@clearwell/ledger/array-literal'
import type { Database, Queryable } from '@clearwell/ledger/database'
import { ACCRUED_PER_UNIT } from '@clearwell/rules/interest'
import type { SettlementInputs } from '@clearwell/rules/settlement'
import { type Cursor, cursorParams, olderThan } from '../../platform/http/paging.ts'
import { LOAN_COLUMNS } from '../../platform/lending/lending.store.ts'
import type { LoanRow } from '../../platform/lending/lending.tables.ts'
import type { PricedPair } from '../../platform/lending/pair-prices.ts'
import type { LiquidationRow } from './liquidation.tables.ts'

/** The most orders of a ranking. */
export const MOST_RANKED = 1_000

/** SQL of the market of orders to be cleared, and of the receipts. */
export function createLiquidationStore(db: Database) {
  return {
    /** An order of any user. */
    order: async (id: string) => (await db.query<LoanRow>(`select ${LOAN_COLUMNS} from loans where id = $1`, [id]))[0],
    /** Orders to be cleared, newest first. */
    orders: (after: Cursor | undefined, limit: number) =>
      db.query<LoanRow>(
        `select ${LOAN_COLUMNS} from loans where status = 0 and ${olderThan('$1', '$2')}
         order by created_at desc, id desc limit $3`,
        [...cursorParams(after), limit],
      ),
    ranking: (query: Ranking) => readRanking(db, query),
    /** A receipt belongs to two users. */
    receipt: async (userId: string, orderId: string): Promise<LiquidationRow | undefined> => {
      const [row] = await db.query<LiquidationRow>(
        'select * from liquidations where id = $1 and (borrower_id = $2 or liquidator_id = $2)',
        [orderId, userId],
      )
      return row
    },
  }
}

export type LiquidationStore = ReturnType<typeof createLiquidationStore>

/** Orders to be cleared in the order of their profit or of their debt, in USDT. */
interface Ranking {
  readonly by: 'profit' | 'debt'
  /** Orders of other pairs have no price, and come last. */
  readonly pairs: readonly PricedPair[]
  readonly factors: SettlementInputs['rules']
  readonly now: Date
}

/**
 * Reads the first of all orders to be cleared. The figures only order the rows: the rules compute what users see. All orders
 * to be cleared are compared, so the result is for a cache.
 */
function readRanking(db: Queryable, { by, pairs, factors, now }: Ranking): Promise<LoanRow[]> {
  const value =
    by === 'debt'
      ? 'due'
      : `case when due * factor <= worth * 10000 then due * (factor - 10000) / 10000
    else worth - worth * 10000 / factor end`
  return db.query<LoanRow>(
    `select ${LOAN_COLUMNS} from (
       select *, case when due * 10000 >= worth * $6 then $7::numeric else $8::numeric end as factor from (
         select loans.*, collateral * collateral_price as worth,
           borrow_price * (principal + (accrued + principal * rate_e18
             * greatest(0, extract(epoch from $5::timestamptz - accrued_at))) / $9::numeric) as due
         from loans left join unnest($1::text[], $2::text[], $3::numeric[], $4::numeric[])
           as pair (pair_collateral, pair_borrowed, collateral_price, borrow_price)
           on pair_collateral = collateral_asset and pair_borrowed = borrow_asset
         where status = 0
       ) valued
     ) factored order by ${value} desc nulls last, id limit ${MOST_RANKED}`,
    [
      arrayLiteral(pairs.map(({ collateral }) => collateral)),
      arrayLiteral(pairs.map(({ borrowed }) => borrowed)),
      arrayLiteral(pairs.map(({ prices }) => prices.collateral.toString())),
      arrayLiteral(pairs.map(({ prices }) => prices.borrowed.toString())),
      now,
      factors.liquidationBps.toString(),
      factors.bonusBps.toString(),
      factors.overdueBonusBps.toString(),
      ACCRUED_PER_UNIT.toString(),
    ],
  )
}

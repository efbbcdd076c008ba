import { arrayLiteral } from '@clearwell/ledger/array-literal'
import type { Database, Queryable } from '@clearwell/ledger/database'
import type { AssetId } from '@clearwell/money/asset'
import type { LoanPool } from '@clearwell/rules/loan-pool'
import { type LoanRow, loans } from '../../domain/lending/lending.tables.ts'
import type { LendingRules } from '../../domain/lending/lending-parameters.ts'
import { usableAt } from '../../domain/lending/loan-prices.ts'
import type { PricedPair } from '../../domain/lending/pair-prices.ts'
import { readPools } from '../../domain/lending/read-pools.ts'
import { type Cursor, cursorParams, olderThan } from '../../platform/database/page.ts'
import { loadStop } from '../../platform/ledger/repayment-stop.ts'
import { type LiquidationRow, liquidations } from './liquidation.tables.ts'

/** The most orders of a ranking. */
export const MOST_RANKED = 1_000

/** SQL of the market of orders to be cleared, and of the receipts. */
export function createLiquidationStore(db: Database) {
  return {
    /** An order of any user. */
    order: async (id: string) => (await db.query<LoanRow>(`select ${loans.columns} from loans where id = $1`, [id]))[0],
    /** Orders to be cleared, newest first. */
    orders: (after: Cursor | undefined, limit: number) =>
      db.query<LoanRow>(
        `select ${loans.columns} from loans where status = 0 and ${olderThan('$1', '$2')}
         order by created_at desc, id desc limit $3`,
        [...cursorParams(after), limit],
      ),
    /** The last time in which repaying was stopped. */
    stop: () => loadStop(db),
    /** Pools with their index grown up to a time. */
    pools: (assets: readonly AssetId[], now: Date) => readPools(db, assets, now),
    ranking: (query: Ranking) => readRanking(db, query),
    /** The liquidations of an order that a user has taken part in, newest first. The borrower sees all of them. */
    receipts: (userId: string, { orderId, liquidationId, after, limit }: ReceiptQuery): Promise<LiquidationRow[]> =>
      db.query<LiquidationRow>(
        `select ${liquidations.columns} from liquidations
         where order_id = $1 and (borrower_id = $2 or liquidator_id = $2) and ($3::text is null or id = $3)
           and ${olderThan('$4', '$5')}
         order by created_at desc, id desc limit $6`,
        [orderId, userId, liquidationId ?? null, ...cursorParams(after), limit],
      ),
  }
}

export type LiquidationStore = ReturnType<typeof createLiquidationStore>

interface ReceiptQuery {
  readonly orderId: string
  readonly liquidationId: string | undefined
  readonly after: Cursor | undefined
  readonly limit: number
}

/** Orders to be cleared in the order of their profit or of their debt, in USDT. */
interface Ranking {
  readonly by: 'profit' | 'debt'
  /** Orders of pairs without prices come last. */
  readonly pairs: readonly PricedPair[]
  readonly pools: ReadonlyMap<AssetId, LoanPool>
  readonly rules: Pick<LendingRules, 'limits' | 'liquidation'>
  readonly now: Date
}

/**
 * Reads the first of all orders to be cleared. The figures only order the rows, by the rules in force: the rules of each order compute
 * what users see. All orders to be cleared are compared, so the result is for a cache.
 */
function readRanking(db: Queryable, { by, pairs, pools, rules, now }: Ranking): Promise<LoanRow[]> {
  const value =
    by === 'debt'
      ? 'due'
      : `case when due * factor <= worth * 10000 then due * (factor - 10000) / 10000
    when due * floor <= worth * 10000 then worth - due else worth - worth * 10000 / floor end`
  const priced = pairs.flatMap((pair) => {
    const usable = usableAt(pair.prices, now)
    const index = pools.get(pair.borrowed)?.indexE27
    return usable && index !== undefined ? [{ ...pair, ...usable.mean, assets: pair, index }] : []
  })
  const texts = (of: (pair: (typeof priced)[number]) => string) => arrayLiteral(priced.map(of))
  return db.query<LoanRow>(
    `select ${loans.columns} from (
       select *, case when due * 10000 >= worth * $6 then $7::numeric else $8::numeric end as factor, $9::numeric as floor from (
         select loans.*, collateral * collateral_price as worth, borrow_price * (debt_shares * index / 1e27::numeric) as due
         from loans left join unnest($1::text[], $2::text[], $3::numeric[], $4::numeric[], $5::numeric[])
           as pair (pair_collateral, pair_borrowed, collateral_price, borrow_price, index)
           on pair_collateral = collateral_asset and pair_borrowed = borrow_asset
         where status = 0
       ) valued
     ) factored order by ${value} desc nulls last, id limit ${MOST_RANKED}`,
    [
      texts(({ assets }) => assets.collateral),
      texts(({ assets }) => assets.borrowed),
      texts(({ collateral }) => String(collateral)),
      texts(({ borrowed }) => String(borrowed)),
      texts(({ index }) => String(index)),
      rules.limits.liquidationBps.toString(),
      rules.liquidation.bonusBps.toString(),
      rules.liquidation.overdueBonusBps.toString(),
      rules.liquidation.floorBps.toString(),
    ],
  )
}

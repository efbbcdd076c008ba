import { arrayLiteral } from '@clearwell/ledger/array-literal'
import type { Database, Queryable } from '@clearwell/ledger/database'
import { readBalances } from '@clearwell/ledger/read-balances'
import { readOneMoment } from '@clearwell/ledger/reads'
import type { AssetId } from '@clearwell/money/asset'
import { type Cursor, cursorParams, olderThan } from '../http/paging.ts'
import { INSURANCE, lendingCash } from '../ledger/accounts.ts'

import {
  LOAN_STATUS,
  type LoanRow,
  type LoanStatus,
  lendingLosses,
  lendingPools,
  type pledges,
} from './lending.tables.ts'

import { type PoolNow, poolNow } from './lending-books.ts'

export type PledgeRow = Awaited<ReturnType<typeof pledges.load>>[number]

/** The price of a collateral in a borrowed asset, at 10^18. */
export interface PairPrice {
  readonly collateral: AssetId
  readonly borrowed: AssetId
  readonly priceE18: bigint
}

/** The pools of these assets, and all pledges of a user, at one moment. */
export interface LendingState {
  readonly pools: ReadonlyMap<AssetId, PoolNow>
  readonly pledges: readonly PledgeRow[]
}

/** The insurance of an asset's pledgers, and their losses so far. */
export interface PoolSafety {
  readonly insurance: bigint
  readonly losses: Awaited<ReturnType<typeof lendingLosses.load>>[number] | undefined
}

export const LOAN_COLUMNS =
  'id, user_id, status, collateral_asset, collateral, borrow_asset, borrowed, principal, rate_e18, accrued, accrued_at, ' +
  'term_days, created_at, repayment_time, status_at, watch_price, watch_until, warned, reminded, is_announced, ' +
  'recover_price, warning_round, limits_version'

/**
 * Values reach this statement through `select`, so that PostgreSQL cannot see them when it plans. Otherwise it finds a plan for
 * these values cheaper than one for any values, and plans again at every price change: with many loans, this took longer than
 * the search. Nor does the statement remove duplicates: the memory for that grows with all loans.
 */
const LOANS_TO_JUDGE = `with pair as (
   select * from unnest((select $1::text[]), (select $2::text[]), (select $3::numeric[])) as each (collateral, borrowed, price)
 )
 (select loan.id from pair cross join lateral (
     select id from loans
     where status = 2 and collateral_asset = pair.collateral and borrow_asset = pair.borrowed and watch_price >= pair.price
     order by watch_price desc limit (select $5::bigint)
   ) loan)
 union all (select loan.id from pair cross join lateral (
     select id from loans
     where collateral_asset = pair.collateral and borrow_asset = pair.borrowed and recover_price <= pair.price
     order by recover_price limit (select $5::bigint)
   ) loan)
 union all (select id from loans where status = 2 and watch_until <= (select $4::timestamptz)
   order by watch_until limit (select $5::bigint))
 union all (select id from loans where status in (2, 0) and limits_version < (select $6::integer)
   order by limits_version limit (select $5::bigint))`

/** SQL that reads the tables of the lending market, without the market of orders to be cleared. */
export function createLendingStore(db: Database) {
  return {
    /** Pools with their interest accrued up to `now`, and the user's pledges. Read from one snapshot, so that they match. */
    state: (assets: readonly AssetId[], now: Date, userId?: string): Promise<LendingState> =>
      readOneMoment(db, async (tx) => ({
        pools: await readPools(tx, assets, now),
        pledges:
          userId === undefined
            ? []
            : await tx.query<PledgeRow>(
                'select id, user_id, asset, shares, pledged, withdrawn, changed_at from pledges where user_id = $1',
                [userId],
              ),
      })),
    safety: (assets: readonly AssetId[]) => readSafety(db, assets),
    loan: async (userId: string, id: string) =>
      (await db.query<LoanRow>(`select ${LOAN_COLUMNS} from loans where id = $1 and user_id = $2`, [id, userId]))[0],
    /**
     * Open orders that may have to change: by a price of their pair, because they are due to be examined, or because they were
     * judged by other limits. Each part reads its index from the end that is concerned, so unconcerned orders cost nothing.
     */
    async loansToJudge(
      pairs: readonly PairPrice[],
      limitsVersion: number,
      now: Date,
      limit: number,
    ): Promise<string[]> {
      const rows = await db.query<{ id: string }>(LOANS_TO_JUDGE, [
        arrayLiteral(pairs.map(({ collateral }) => collateral)),
        arrayLiteral(pairs.map(({ borrowed }) => borrowed)),
        arrayLiteral(pairs.map(({ priceE18 }) => priceE18.toString())),
        now,
        limit,
        limitsVersion,
      ])
      return [...new Set(rows.map(({ id }) => id))]
    },
    /**
     * Open orders of a pair that a price of it could bring over a limit, those most at risk first: from the index, so the
     * others cost nothing. Orders to be cleared come first.
     */
    loansAtRisk: ({ collateral, borrowed, priceE18 }: PairPrice, limit: number) =>
      db.query<LoanRow>(
        `(select ${LOAN_COLUMNS} from loans where status = 0 and collateral_asset = $1 and borrow_asset = $2 limit $4)
         union all
         (select ${LOAN_COLUMNS} from loans
          where status = 2 and collateral_asset = $1 and borrow_asset = $2 and watch_price >= $3::numeric
          order by watch_price desc limit $4)
         limit $4`,
        [collateral, borrowed, priceE18.toString(), limit],
      ),
    countOpen: () => countOpen(db),
    /** Orders about which the leader has found something that the user does not know yet. */
    loansToAnnounce: (limit: number) =>
      db.query<LoanRow>(`select ${LOAN_COLUMNS} from loans where not is_announced order by id limit $1`, [limit]),
    /** A user's orders of one status or of all, newest first. The limit is a `select` for the reason of LOANS_TO_JUDGE. */
    loans: (userId: string, status: LoanStatus | undefined, after: Cursor | undefined, limit: number) =>
      db.query<LoanRow>(
        `select ${LOAN_COLUMNS} from loans where user_id = $1 ${status === undefined ? '' : 'and status = $5'}
           and ${olderThan('$2', '$3')}
         order by created_at desc, id desc limit (select $4::bigint)`,
        [userId, ...cursorParams(after), limit, ...(status === undefined ? [] : [status])],
      ),
  }
}

export type LendingStore = ReturnType<typeof createLendingStore>

/** Reads pools with their interest accrued up to a time. */
export async function readPools(
  tx: Queryable,
  assets: readonly AssetId[],
  now: Date,
): Promise<ReadonlyMap<AssetId, PoolNow>> {
  const rows = await lendingPools.load(tx, assets)
  const balances = await readBalances(tx, assets.map(lendingCash))
  return new Map(
    assets.map((asset) => {
      const cash = balances.find((each) => each.account === lendingCash(asset) && each.asset === asset)?.units ?? 0n
      return [
        asset,
        poolNow(
          rows.find(({ id }) => id === asset),
          cash,
          now,
        ),
      ]
    }),
  )
}

/** Counts open orders by status, from an index and up to a limit that is enough for a gauge. */
async function countOpen(db: Queryable): Promise<{ readonly normal: number; readonly toBeCleared: number }> {
  const rows = await db.query<{ status: number; count: number }>(
    `select 2 as status, count(*)::integer as count from (select from loans where status = 2 limit 1000000) normal
     union all
     select 0, count(*)::integer from (select from loans where status = 0 limit 1000000) to_be_cleared`,
  )
  const countOf = (status: number) => rows.find((row) => row.status === status)?.count ?? 0
  return { normal: countOf(LOAN_STATUS.normal), toBeCleared: countOf(LOAN_STATUS.toBeCleared) }
}

/** Reads the insurance and the bad debt so far, by asset. */
function readSafety(db: Database, assets: readonly AssetId[]): Promise<ReadonlyMap<AssetId, PoolSafety>> {
  return readOneMoment(db, async (tx) => {
    const losses = await lendingLosses.load(tx, assets)
    const balances = await readBalances(tx, [INSURANCE])
    return new Map(
      assets.map((asset) => {
        const insurance = balances.find((each) => each.asset === asset)?.units ?? 0n
        return [asset, { losses: losses.find(({ id }) => id === asset), insurance }]
      }),
    )
  })
}

import { arrayLiteral } from '@clearwell/ledger/array-literal'
import type { Database, Queryable } from '@clearwell/ledger/database'
import { readBalances } from '@clearwell/ledger/read-balances'
import { readOneMoment } from '@clearwell/ledger/reads'
import type { RowOf } from '@clearwell/ledger/table'
import type { AssetId } from '@clearwell/money/asset'
import { debtOfShares } from '@clearwell/rules/borrow-index'
import { ratioThreshold } from '@clearwell/rules/loan-order'
import type { LoanPool, ShareTerms } from '@clearwell/rules/loan-pool'
import { currentRate } from '@clearwell/rules/pool-rate'
import { type Cursor, cursorParams, olderThan } from '../../platform/database/page.ts'
import { INSURANCE } from '../../platform/ledger/accounts.ts'
import { loadStop } from '../../platform/ledger/repayment-stop.ts'
import {
  borrowers,
  LOAN_STATUS,
  type LoanRow,
  type LoanStatus,
  lendingLosses,
  lendingRates,
  loans,
  pledges,
} from './lending.tables.ts'
import { usableAt } from './loan-prices.ts'
import type { LoanPair, PricedPair } from './pair-prices.ts'
import { type PledgeMoment, readShareTerms } from './pledge-values.ts'
import { readPools } from './read-pools.ts'

export type PledgeRow = RowOf<typeof pledges>

/** The pools of these assets at one moment. */
export interface LendingState {
  readonly pools: ReadonlyMap<AssetId, LoanPool>
}

/** The insurance of an asset's pledgers, and their losses so far. */
export interface PoolSafety {
  readonly insurance: bigint
  readonly losses: RowOf<typeof lendingLosses> | undefined
}

/**
 * `better` and `worse` are the thresholds of a pair at the prices that are better and worse for the borrower: an order is over a limit
 * whose key is at or above the threshold. Each part reads its index from the end that is concerned, so other orders cost nothing.
 *
 * Values reach this statement through `select`, so that PostgreSQL cannot see them when it plans. Otherwise it finds a plan for
 * these values cheaper than one for any values, and plans again at every price change: with many loans, this took longer than
 * the search. Nor does the statement remove duplicates: the memory for that grows with all loans.
 */
const LOANS_TO_JUDGE = `with pair as (
   select * from unnest((select $1::text[]), (select $2::text[]), (select $3::numeric[]), (select $4::numeric[]))
     as each (collateral, borrowed, better, worse)
 ), pool as (
   select * from unnest((select $5::text[]), (select $6::numeric[])) as each (asset, rate)
 )
 (select loan.id from pair cross join lateral (
     select id from loans
     where status = 2 and collateral_asset = pair.collateral and borrow_asset = pair.borrowed and clear_ratio >= pair.better
     order by clear_ratio desc limit (select $8::bigint)
   ) loan)
 union all (select loan.id from pair cross join lateral (
     select id from loans
     where status = 2 and collateral_asset = pair.collateral and borrow_asset = pair.borrowed and warn_ratio >= pair.worse
     order by warn_ratio desc limit (select $8::bigint)
   ) loan)
 union all (select loan.id from pair cross join lateral (
     select id from loans
     where status = 0 and collateral_asset = pair.collateral and borrow_asset = pair.borrowed and recover_ratio < pair.better
     order by recover_ratio limit (select $8::bigint)
   ) loan)
 union all (select loan.id from pair cross join lateral (
     select id from loans
     where status = 2 and collateral_asset = pair.collateral and borrow_asset = pair.borrowed and recover_ratio < pair.worse
     order by recover_ratio limit (select $8::bigint)
   ) loan)
 union all (select loan.id from pool cross join lateral (
     select id from loans
     where status in (2, 0) and borrow_asset = pool.asset and notify_rate_e18 <= pool.rate
     order by notify_rate_e18 limit (select $8::bigint)
   ) loan)
 union all (select id from loans where status = 2 and watch_until <= (select $7::timestamptz)
   order by watch_until limit (select $8::bigint))`

/** SQL that reads the tables of the lending market, without the market of orders to be cleared. */
export function createLendingStore(db: Database) {
  return {
    ...createWatchStore(db),
    /** Pools with their index grown up to a time. Read from one snapshot, so that they match. */
    state: (assets: readonly AssetId[], now: Date): Promise<LendingState> =>
      readOneMoment(db, async (tx) => ({ pools: await readPools(tx, assets, now) })),
    /** The pools with what their shares are paid back at, and the user's pledges, of one moment. */
    pledged: (moment: PledgeMoment, userId?: string) => readOneMoment(db, (tx) => readPledgedState(tx, moment, userId)),
    /** A pool, and what a user owes to it. */
    borrowing: (asset: AssetId, userId: string, now: Date) =>
      readOneMoment(db, async (tx) => {
        const pool = poolOf(await readPools(tx, [asset], now), asset)
        const [borrower] = await borrowers.load(tx, [`${asset}:${userId}`])
        return { pool, owed: debtOfShares(borrower?.debt_shares ?? 0n, pool.indexE27) }
      }),
    /** The last time in which repaying was stopped. */
    stop: () => loadStop(db),
    safety: (assets: readonly AssetId[]) => readSafety(db, assets),
    loan: async (userId: string, id: string) =>
      (await db.query<LoanRow>(`select ${loans.columns} from loans where id = $1 and user_id = $2`, [id, userId]))[0],
    /**
     * Open orders of a pair that are over their limit at a threshold, those most at risk first: from the index, so the others cost
     * nothing. Orders to be cleared come first.
     */
    loansAtRisk: ({ collateral, borrowed }: LoanPair, threshold: bigint, limit: number) =>
      db.query<LoanRow>(
        `(select ${loans.columns} from loans where status = 0 and collateral_asset = $1 and borrow_asset = $2 limit $4)
         union all
         (select ${loans.columns} from loans
          where status = 2 and collateral_asset = $1 and borrow_asset = $2 and clear_ratio >= $3::numeric
          order by clear_ratio desc limit $4)
         limit $4`,
        [collateral, borrowed, threshold.toString(), limit],
      ),
    /** The hourly rates of a pool, oldest first. */
    rates: (asset: AssetId, from: Date, limit: number) => readRates(db, { asset, from, limit }),
    /** The first reading of a pool's index at a time or later. */
    async indexSince(asset: AssetId, time: Date): Promise<bigint | undefined> {
      const [row] = await db.query<{ index_e27: bigint }>(
        'select index_e27 from lending_rates where asset = $1 and at >= $2 order by at limit 1',
        [asset, time],
      )
      return row?.index_e27
    },
    /** A user's orders of one status or of all, newest first. The limit is a `select` for the reason of LOANS_TO_JUDGE. */
    loans: (userId: string, status: LoanStatus | undefined, after: Cursor | undefined, limit: number) =>
      db.query<LoanRow>(
        `select ${loans.columns} from loans where user_id = $1 ${status === undefined ? '' : 'and status = $5'}
           and ${olderThan('$2', '$3')}
         order by created_at desc, id desc limit (select $4::bigint)`,
        [userId, ...cursorParams(after), limit, ...(status === undefined ? [] : [status])],
      ),
  }
}

/** Pledges of accounts that leave, of one pool. */
export interface LeavingPledges {
  readonly asset: AssetId
  /** Those whose request is oldest, in that order. */
  readonly accounts: readonly string[]
  /** The shares of all others. */
  readonly others: bigint
}

/** SQL that finds the pledges of accounts that leave the vault. */
export function createLeavingStore(db: Queryable) {
  return {
    /**
     * The pools that accounts wait for whose confirmed request is younger than a time, and those that the ledger still reserves
     * cash in.
     *
     * @param limit the most accounts of a pool.
     */
    async leaving(since: Date, limit: number): Promise<LeavingPledges[]> {
      const rows = await db.query<{ asset: AssetId; accounts: string[]; others: bigint }>(
        `select asset, coalesce(array_agg(user_id order by place) filter (where place <= $2::bigint), '{}') as accounts,
           coalesce(sum(shares) filter (where place > $2::bigint), 0)::numeric as others
         from (
           select pledge.asset, pledge.user_id, pledge.shares,
             row_number() over (partition by pledge.asset order by leaving.exit_at, pledge.user_id) as place
           from exits leaving join pledges pledge on pledge.user_id = leaving.id
           where leaving.state = 'open' and leaving.exit_at > $1 and pledge.shares > 0
           union all
           select id, null, null, null from pledge_returns where waiting > 0
         ) each
         group by asset order by asset`,
        [since, limit],
      )
      return rows
    },
  }
}

/** SQL that finds the orders that the leader has to look at. */
function createWatchStore(db: Database) {
  return {
    /** Open orders that may have to change: by a price of their pair, by the rate of their pool, or by the time. */
    async loansToJudge(
      pairs: readonly PricedPair[],
      assets: readonly AssetId[],
      now: Date,
      limit: number,
    ): Promise<string[]> {
      const pools = await readOneMoment(db, (tx) => readPools(tx, assets, now))
      const lines = thresholdsOf(pairs, pools, now)
      const text = (values: readonly unknown[]) => arrayLiteral(values.map(String))
      const rows = await db.query<{ id: string }>(LOANS_TO_JUDGE, [
        text(lines.map(({ collateral }) => collateral)),
        text(lines.map(({ borrowed }) => borrowed)),
        text(lines.map(({ better }) => better)),
        text(lines.map(({ worse }) => worse)),
        text(assets),
        text(assets.map((asset) => currentRate(poolOf(pools, asset).rate))),
        now,
        limit,
      ])
      return [...new Set(rows.map(({ id }) => id))]
    },
    countOpen: () => countOpen(db),
    /** Orders about which the leader has found something that the user does not know yet. */
    async loansToAnnounce(limit: number): Promise<string[]> {
      const rows = await db.query<{ id: string }>('select id from loans where not is_announced order by id limit $1', [
        limit,
      ])
      return rows.map(({ id }) => id)
    },
  }
}

export type LendingStore = ReturnType<typeof createLendingStore>

function poolOf(pools: ReadonlyMap<AssetId, LoanPool>, asset: AssetId): LoanPool {
  const pool = pools.get(asset)
  if (!pool) throw new Error(`the pool of ${asset} was not read`)
  return pool
}

async function readPledgedState(tx: Queryable, moment: PledgeMoment, userId: string | undefined) {
  const { rules, now } = moment
  const read = await readPools(
    tx,
    rules.pools.map(({ asset }) => asset),
    now,
  )
  const pools = new Map<AssetId, { pool: LoanPool; terms: ShareTerms & { readonly isKnown: boolean } }>()
  for (const each of rules.pools) {
    const pool = poolOf(read, each.asset)
    pools.set(each.asset, { pool, terms: await readShareTerms(tx, each, pool, moment) })
  }
  return { pools, pledges: userId === undefined ? [] : await readPledges(tx, userId) }
}

function readPledges(tx: Queryable, userId: string): Promise<PledgeRow[]> {
  return tx.query<PledgeRow>(`select ${pledges.columns} from pledges where user_id = $1`, [userId])
}

/** The thresholds of the pairs that have prices. */
function thresholdsOf(pairs: readonly PricedPair[], pools: ReadonlyMap<AssetId, LoanPool>, now: Date) {
  return pairs.flatMap(({ collateral, borrowed, prices }) => {
    const usable = usableAt(prices, now)
    if (!usable) return []
    const { indexE27 } = poolOf(pools, borrowed)
    const [better, worse] = [ratioThreshold(usable.better, indexE27), ratioThreshold(usable.worse, indexE27)]
    return [{ collateral, borrowed, better, worse }]
  })
}

/** The rates of a pool at an hour. */
export type RateRow = RowOf<typeof lendingRates>

function readRates(
  db: Queryable,
  { asset, from, limit }: { readonly asset: AssetId; readonly from: Date; readonly limit: number },
): Promise<RateRow[]> {
  return db.query<RateRow>(
    `select ${lendingRates.columns} from lending_rates
     where asset = $1 and at >= $2 order by at limit $3`,
    [asset, from, limit],
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

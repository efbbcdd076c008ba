import type { PoolSuspension } from '@clearwell/api/refusal-reasons'
import type { ResponseOf } from '@clearwell/api/routes'
import type { Database } from '@clearwell/ledger/database'
import { readBalances } from '@clearwell/ledger/read-balances'
import { findOutcome } from '@clearwell/ledger/reads'
import type { RowOf } from '@clearwell/ledger/table'
import { type Cursor, cursorParams, olderThan } from '../../platform/database/page.ts'
import { poolAccount, TREASURY } from '../../platform/ledger/accounts.ts'
import { SOLVENCY_BREAKER } from '../../platform/ledger/breaker.ts'
import { ORDER_ID_LENGTH } from './order-id.ts'
import { type CandleRow, type SwapOrderRow, swapCandles, swapOrders, type swapPools } from './swap.tables.ts'

type PoolRow = Pick<RowOf<typeof swapPools>, 'id' | 'base' | 'quote' | 'opened_at' | 'suspended_by'> & {
  /** Set while the pool does not trade. */
  readonly stopped_at: Date | null
  readonly stopped_reason: PoolSuspension | null
  readonly is_suspended: boolean
}

/** Reads of the swap's tables. No other file has SQL on them. */
export function createSwapStore(db: Database) {
  return { ...readsOfPools(db), ...readsOfOrders(db), ...readsOfCandles(db) }
}

export type SwapStore = ReturnType<typeof createSwapStore>

function readsOfPools(db: Database) {
  return {
    /** Open pools. The solvency breaker, which stops all pools, takes precedence over a single pool's suspension. */
    pools: () =>
      db.query<PoolRow>(
        `select pool.id, pool.base, pool.quote, pool.opened_at, coalesce(breaker.stopped_at, pool.suspended_at) as stopped_at,
           case when breaker.stopped_at is null then pool.suspended_reason else breaker.reason end as stopped_reason,
           pool.suspended_at is not null as is_suspended, pool.suspended_by
         from swap_pools pool left join breakers breaker on breaker.id = $1`,
        [SOLVENCY_BREAKER.id],
      ),
    openedAt: async (poolId: string): Promise<Date | undefined> =>
      (await db.query<{ opened_at: Date }>('select opened_at from swap_pools where id = $1', [poolId]))[0]?.opened_at,
    treasury: () => readBalances(db, [TREASURY]),
    reserves: (poolIds: readonly string[]) => readBalances(db, poolIds.map(poolAccount)),
  }
}

function readsOfOrders(db: Database) {
  return {
    order: async (userId: string, id: string) =>
      (
        await db.query<SwapOrderRow>(`select ${swapOrders.columns} from swap_orders where id = $1 and user_id = $2`, [
          id,
          userId,
        ])
      )[0],
    /** The user's swaps in one pool or in all, newest first. Each pool has its index, so all of them are merged. */
    orders: (userId: string, poolId: string | undefined, after: Cursor | undefined, limit: number) =>
      db.query<SwapOrderRow>(
        `select ${swapOrders.columns} from (
           select mine.* from ${poolId === undefined ? '(select id as pool from swap_pools)' : '(select $5::text as pool)'} pools
           cross join lateral (
             select ${swapOrders.columns} from swap_orders where user_id = $1 and pool_id = pool and ${olderThan('$2', '$3')}
             order by created_at desc, id desc limit $4
           ) mine
         ) merged order by created_at desc, id desc limit $4`,
        [userId, ...cursorParams(after), limit, ...(poolId === undefined ? [] : [poolId])],
      ),
    /** A pool's latest trades in a range of ids: scans the primary key backward, because ids sort by time. */
    trades: (poolId: string, { from, below }: { from: string; below: string }, limit: number) =>
      db.query<SwapOrderRow>(
        `select ${swapOrders.columns} from swap_orders
         where id >= $1 and id < $2 and pool_id = $3 and length(id) = ${ORDER_ID_LENGTH} order by id desc limit $4`,
        [from, below, poolId, limit],
      ),
    /** The stored outcome of a swap, by its idempotency key. */
    outcomeOf: (userId: string, key: string) =>
      findOutcome<ResponseOf<'doSwap'>>(db, { owner: userId, key, kind: 'swap' }),
  }
}

function readsOfCandles(db: Database) {
  return {
    /** The latest candles of a time range, newest first. */
    candles: (
      poolId: string,
      interval: string,
      range: { from: Date | undefined; to: Date | undefined; limit: number },
    ) =>
      db.query<CandleRow>(
        `select ${swapCandles.columns} from swap_candles
         where pool_id = $1 and span = $2 and starts_at >= $3::timestamptz and starts_at < $4::timestamptz
         order by starts_at desc limit $5`,
        [poolId, interval, range.from ?? '-infinity', range.to ?? 'infinity', range.limit],
      ),
    /** The last candle before a time. */
    lastCandleBefore: async (poolId: string, interval: string, time: Date) =>
      (
        await db.query<CandleRow>(
          `select ${swapCandles.columns} from swap_candles where pool_id = $1 and span = $2 and starts_at < $3 order by starts_at desc limit 1`,
          [poolId, interval, time],
        )
      )[0],
    /** The close of the last one-minute candle that ended by each time. `index` is the time's index in `times`. */
    closesAt: (poolId: string, times: readonly Date[]) =>
      db.query<{ index: number; close_e18: bigint }>(
        `select (point.number - 1)::integer as index, last.close_e18
         from unnest($2::timestamptz[]) with ordinality as point (at, number)
         cross join lateral (
           select close_e18 from swap_candles
           where pool_id = $1 and span = '1m' and starts_at <= point.at - interval '1 minute'
           order by starts_at desc limit 1
         ) last`,
        [poolId, times.map((time) => time.toISOString())],
      ),
    /** A pool's lowest and highest price since a time, and its last price before that time. */
    pricesSince: async (poolId: string, since: Date) =>
      (
        await db.query<{ lowest_e18: bigint | null; highest_e18: bigint | null; before_e18: bigint | null }>(
          `select min(low_e18) as lowest_e18, max(high_e18) as highest_e18, (
             select close_e18 from swap_candles where pool_id = $1 and span = '1m' and starts_at < $2
             order by starts_at desc limit 1
           ) as before_e18
           from swap_candles where pool_id = $1 and span = '1m' and starts_at >= $2`,
          [poolId, since],
        )
      )[0],
  }
}

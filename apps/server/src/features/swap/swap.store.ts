import type { Database } from '@clearwell/ledger/database'
import { type Cursor, olderThan } from '../../http/paging.ts'
import { poolAccount } from '../../ledger/accounts.ts'

export interface SwapOrderRow {
  id: string
  pool_id: string
  inverse: boolean
  amount_in: bigint
  amount_out: bigint
  fee: bigint
  created_at: Date
}

export interface CandleRow {
  starts_at: Date
  open_e18: bigint
  high_e18: bigint
  low_e18: bigint
  close_e18: bigint
  volume_base: bigint
}

const ORDER = 'id, pool_id, inverse, amount_in, amount_out, fee, created_at'
const CANDLE = 'starts_at, open_e18, high_e18, low_e18, close_e18, volume_base'

/** The only SQL on the swap's tables. */
export function createSwapStore(db: Database) {
  return {
    pools: () =>
      db.query<{ id: string; suspended_at: Date | null; suspended_reason: string | null }>(
        'select id, suspended_at, suspended_reason from swap_pools',
      ),
    reserves: (poolIds: readonly string[]) =>
      db.query<{ account: string; asset: string; units: bigint }>(
        'select account, asset, units from balances where account = any($1::text[])',
        [poolIds.map(poolAccount)],
      ),
    order: async (userId: string, id: string) =>
      (
        await db.query<SwapOrderRow>(`select ${ORDER} from swap_orders where id = $1 and user_id = $2`, [id, userId])
      )[0],
    orders: (userId: string, poolId: string | undefined, after: Cursor | undefined, limit: number) =>
      db.query<SwapOrderRow>(
        `select ${ORDER} from swap_orders
         where user_id = $1 and ($2::text is null or pool_id = $2) and ${olderThan('$3', '$4')}
         order by created_at desc, id desc limit $5`,
        [userId, poolId ?? null, after?.at ?? null, after?.id ?? null, limit],
      ),
    /** The latest candles of a span of time, the newest first. */
    candles: (
      poolId: string,
      interval: string,
      range: { from: Date | undefined; to: Date | undefined; limit: number },
    ) =>
      db.query<CandleRow>(
        `select ${CANDLE} from swap_candles
         where pool_id = $1 and span = $2 and ($3::timestamptz is null or starts_at >= $3)
           and ($4::timestamptz is null or starts_at < $4)
         order by starts_at desc limit $5`,
        [poolId, interval, range.from ?? null, range.to ?? null, range.limit],
      ),
    /** The last candle before a time: where the price stood then. */
    lastCandleBefore: async (poolId: string, interval: string, time: Date) =>
      (
        await db.query<CandleRow>(
          `select ${CANDLE} from swap_candles where pool_id = $1 and span = $2 and starts_at < $3 order by starts_at desc limit 1`,
          [poolId, interval, time],
        )
      )[0],
  }
}

export type SwapStore = ReturnType<typeof createSwapStore>

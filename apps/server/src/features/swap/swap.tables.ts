import { POOL_SUSPENSIONS } from '@clearwell/api/refusal-reasons'
import { column, daysAfter, defineWriterTable, forever, type RowOf, type Table } from '@clearwell/ledger/table'
import { CANDLE_INTERVALS } from '@clearwell/rules/candle'
import type { SuspendedBy } from './pool-breaker.ts'

export const swapPools = defineWriterTable('swap_pools', forever('one row for each pool'), {
  id: column.text,
  base: column.asset,
  quote: column.asset,
  opened_at: column.time,
  suspended_at: column.optional(column.time),
  suspended_reason: column.optional(column.oneOf(POOL_SUSPENSIONS)),
  suspended_by: column.optional(column.textOf<SuspendedBy>()),
  /** False after the operator resumes the pool, until the price is calm once. */
  is_watched: column.boolean,
})

/** Suspensions and resumptions of pools. Append only. */
export const poolEvents = defineWriterTable(
  'pool_events',
  forever('the record of who suspended a pool and why; a few rows a year'),
  {
    id: column.text,
    pool_id: column.text,
    kind: column.oneOf(['suspended', 'resumed']),
    changed_by: column.textOf<SuspendedBy>(),
    detail: column.text,
    at: column.time,
  },
)

export const swapOrders = defineWriterTable(
  'swap_orders',
  forever("the users' receipts of their swaps"),
  {
    id: column.text,
    user_id: column.user('keeps'),
    pool_id: column.text,
    inverse: column.boolean,
    amount_in: column.units,
    amount_out: column.units,
    /** The whole fee, in the asset sold. */
    fee: column.units,
    created_at: column.time,
  },
  { rowsAreFinal: true },
)
export type SwapOrderRow = RowOf<typeof swapOrders>

export const swapCandles = defineWriterTable(
  'swap_candles',
  daysAfter('its start: only candles of one minute, and never the last one of a pool', {
    days: 'retention.minuteCandlesDays',
    // The last of the old ones stays: it has the price of a pool that has not traded since.
    condition: `span = '1m' and starts_at < $1 and exists (
        select from swap_candles newer
        where newer.pool_id = swap_candles.pool_id and newer.span = '1m'
          and newer.starts_at > swap_candles.starts_at and newer.starts_at < $1
      )`,
  }),
  {
    id: column.text,
    pool_id: column.text,
    span: column.oneOf(CANDLE_INTERVALS),
    starts_at: column.time,
    open_e18: column.units,
    high_e18: column.units,
    low_e18: column.units,
    close_e18: column.units,
    volume_base: column.units,
    volume_quote: column.units,
    trade_count: column.integer,
  },
)
export type CandleRow = RowOf<typeof swapCandles>

export const SWAP_TABLES: readonly Table<unknown>[] = [swapPools, poolEvents, swapOrders, swapCandles]

import { POOL_SUSPENSIONS } from '@clearwell/api/refusal-reasons'
import { column, defineTable } from '@clearwell/ledger/table'

export const swapPools = defineTable('swap_pools', {
  id: column.text,
  base: column.text,
  quote: column.text,
  opened_at: column.time,
  suspended_at: column.optional(column.time),
  suspended_reason: column.optional(column.oneOf(POOL_SUSPENSIONS)),
  suspended_by: column.optional(column.text),
  /** False after the operator resumes the pool, until the price is calm once. */
  is_watched: column.boolean,
})

/** Suspensions and resumptions of pools. Append only. */
export const poolEvents = defineTable('pool_events', {
  id: column.text,
  pool_id: column.text,
  kind: column.text,
  changed_by: column.text,
  detail: column.text,
  at: column.time,
})

/** Requests of the operator's command line. */
export const poolRequests = defineTable('pool_requests', {
  id: column.text,
  pool_id: column.text,
  kind: column.text,
  detail: column.text,
  asked_at: column.time,
  done_at: column.optional(column.time),
})

export const swapOrders = defineTable(
  'swap_orders',
  {
    id: column.text,
    user_id: column.text,
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

export const swapCandles = defineTable('swap_candles', {
  id: column.text,
  pool_id: column.text,
  span: column.text,
  starts_at: column.time,
  open_e18: column.units,
  high_e18: column.units,
  low_e18: column.units,
  close_e18: column.units,
  volume_base: column.units,
  volume_quote: column.units,
  trade_count: column.integer,
})

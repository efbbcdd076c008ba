import type { Payload, ResponseOf } from '@clearwell/api/routes'
import type { swapRoutes } from '@clearwell/api/swap.routes'
import type { Writer } from '@clearwell/ledger/writer'
import type { AssetId } from '@clearwell/money/asset'
import { type CandlePrices, fillGaps } from '@clearwell/rules/candle'
import { afterQueue } from '../../platform/commands/command-outcome.ts'
import { DEFAULT_PAGE, decodeCursor, encodeCursor, pageOf } from '../../platform/http/paging.ts'
import { readAmount, readAmountOrZero } from '../../platform/http/read-amount.ts'
import type { HandlersOf } from '../../platform/http/request-context.ts'
import { invalidField, refusal } from '../../platform/ledger/refuse.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { executeSwap, type SwapAmounts, type SwapRules } from './execute-swap.ts'
import { type PoolDefinition, sidesOf } from './open-pool.ts'
import { tradeCursorOf, tradeIdRange } from './order-id.ts'
import type { PriceBand } from './pool-breaker.ts'
import type { PoolView } from './pool-view.ts'
import { type QuotedAmount, quoteNow } from './quote-swap.ts'
import { candleItem, chartCandle, orderItem, tradeItem } from './swap.items.ts'
import type { SwapStore } from './swap.store.ts'

const DEFAULT_CANDLES = 300

export interface SwapDependencies {
  readonly store: SwapStore
  readonly writer: Writer
  readonly clock: Clock
  readonly view: PoolView
  readonly pools: readonly PoolDefinition[]
  readonly rules: SwapRules
  readonly quoteTtlMs: number
  /** The pool's allowed prices now; `undefined` without a fresh reference price. */
  readonly bandOf: (poolId: string) => PriceBand | undefined
  /** The most that a unit of the pool's base asset counts for in boxes, in USDT at 10^18. */
  readonly marketOf: (poolId: string) => bigint | undefined
}

type SwapHandlers = HandlersOf<typeof swapRoutes, 'pairs'>

export function swapHandlers(deps: SwapDependencies): SwapHandlers {
  const { writer, view, clock, rules, quoteTtlMs, bandOf, marketOf } = deps
  return {
    pairs: () => view.pairs(),

    async getQuote({ pool_id, amount, inverse, exact }) {
      const pool = findPool(deps, pool_id)
      const quoted = readQuoted(pool, { amount, inverse: inverse === 1, exact })
      return quoteNow(
        { view, clock, fees: rules.fees, quoteTtlMs, bandOf },
        { pool, inverse: inverse === 1, amount: quoted },
      )
    },

    doSwap(payload, { user, idempotencyKey }) {
      const pool = findPool(deps, payload.pool_id)
      return writer.execute(
        executeSwap(rules, {
          userId: user.id,
          parentId: user.parentId,
          pool,
          inverse: payload.inverse === 1,
          ...readAmounts(pool, payload),
          deadline: payload.deadline,
          key: idempotencyKey,
          band: bandOf(pool.id),
          marketE18: marketOf(pool.id),
        }),
      )
    },

    getOrderStatus: (payload, { user }) => findSwap(deps, user.id, payload),

    ...listHandlers(deps),
  }
}

/** The calls that list swaps and prices. */
function listHandlers(deps: SwapDependencies): Pick<SwapHandlers, 'orders' | 'swapKline' | 'swapTrades'> {
  const { store, clock } = deps
  return {
    async orders({ pool_id, cursor, limit = DEFAULT_PAGE }, { user }) {
      const rows = await store.orders(user.id, pool_id, decodeCursor(cursor), limit + 1)
      return pageOf(
        rows,
        limit,
        (row) => orderItem(findPool(deps, row.pool_id), row),
        (row) => encodeCursor({ at: row.created_at, id: row.id }),
      )
    },

    async swapKline({ pool_id, interval, from, to, limit = DEFAULT_CANDLES }) {
      const pool = findPool(deps, pool_id)
      const rows = await store.candles(pool.id, interval, { from, to, limit })
      // A full page does not need the close of the candle before it.
      const before = from && rows.length < limit ? await store.lastCandleBefore(pool.id, interval, from) : undefined
      const candles = rows.reverse().map(chartCandle)
      const previousCloseE18 = before?.close_e18
      const flat = (prices: CandlePrices) => ({ ...prices, volumeBase: 0n })
      const now = clock.now()
      return fillGaps({ candles, interval, from, to, now, limit, previousCloseE18, flat }).map(candleItem)
    },

    async swapTrades({ pool_id, cursor, limit = DEFAULT_PAGE }) {
      const pool = findPool(deps, pool_id)
      const rows = await store.trades(pool.id, tradeIdRange(pool.id, cursor), limit + 1)
      return pageOf(
        rows,
        limit,
        (row) => tradeItem(pool, row),
        (row) => tradeCursorOf(row.id),
      )
    },
  }
}

/** @throws Refusal `not_found`. */
function findPool({ pools }: SwapDependencies, id: string): PoolDefinition {
  const pool = pools.find((each) => each.id === id)
  if (!pool) throw refusal('not_found')
  return pool
}

/** Finds a swap by its id, or by its idempotency key, which also finds a failed swap. */
async function findSwap(
  deps: SwapDependencies,
  userId: string,
  { transaction_id, idempotency_key }: Payload<'getOrderStatus'>,
): Promise<ResponseOf<'getOrderStatus'>> {
  if (idempotency_key !== undefined) {
    if (transaction_id !== undefined) throw invalidField('idempotency_key', 'not beside transaction_id')
    return findOutcome(deps, userId, idempotency_key)
  }
  if (transaction_id === undefined) throw invalidField('transaction_id', 'it or idempotency_key is needed')
  const row = await deps.store.order(userId, transaction_id)
  if (!row) throw refusal('not_found')
  const { status, amount_in, amount_out, fee } = orderItem(findPool(deps, row.pool_id), row)
  return { transaction_id: row.id, status, amount_in, amount_out, fee }
}

async function findOutcome(
  { store, writer }: SwapDependencies,
  userId: string,
  key: string,
): Promise<ResponseOf<'getOrderStatus'>> {
  const outcome = await afterQueue(writer, userId, () => store.outcomeOf(userId, key))
  if (!outcome) throw refusal('not_found')
  if ('ok' in outcome) return outcome.ok
  return { transaction_id: '', status: 'failed', reason: outcome.refusal, amount_in: '0', amount_out: '0', fee: '0' }
}

/** The fixed side of a quote, in base units. */
function readQuoted(
  pool: PoolDefinition,
  { amount, inverse, exact = 'in' }: { amount: string; inverse: boolean; exact: 'in' | 'out' | undefined },
): QuotedAmount {
  const [sold, bought] = sidesOf(pool, inverse)
  return exact === 'in'
    ? { amountIn: readAmount('amount', amount, sold).units }
    : { amountOut: readAmount('amount', amount, bought).units }
}

/** The fixed side of a swap, and the limit of the other side, in base units. */
function readAmounts(
  pool: PoolDefinition,
  { exact = 'in', amount, inverse, min_amount_out, max_amount_in }: Payload<'doSwap'>,
): SwapAmounts {
  const [sold, bought] = sidesOf(pool, inverse === 1)
  if (exact === 'in') {
    if (max_amount_in !== undefined) throw invalidField('max_amount_in', 'goes with exact = out')
    return {
      amountIn: readAmount('amount', amount, sold).units,
      minAmountOut: readLimit('min_amount_out', min_amount_out, bought),
    }
  }
  if (min_amount_out !== undefined) throw invalidField('min_amount_out', 'goes with exact = in')
  return {
    amountOut: readAmount('amount', amount, bought).units,
    maxAmountIn: readLimit('max_amount_in', max_amount_in, sold),
  }
}

function readLimit(field: string, text: string | undefined, asset: AssetId): bigint {
  if (text === undefined) throw invalidField(field, 'is needed')
  return readAmountOrZero(field, text, asset).units
}

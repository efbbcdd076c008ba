import type { Answer } from '@clearwell/api/routes'
import type { Writer } from '@clearwell/ledger/writer'
import { formatAmount, parseAmount } from '@clearwell/money/amount'
import { formatUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import { midPriceE18, quoteExactIn } from '@clearwell/rules/swap'
import { DEFAULT_PAGE, decodeCursor, encodeCursor, pageOf } from '../../http/paging.ts'
import type { Handlers } from '../../http/request-context.ts'
import { invalidField, refusal } from '../../ledger/refuse.ts'
import type { Clock } from '../../time/clock.ts'
import { executeSwap, type SwapRules } from './execute-swap.ts'
import type { PoolDefinition } from './open-pool.ts'
import type { PoolView } from './pool-view.ts'
import type { CandleRow, SwapOrderRow, SwapStore } from './swap.store.ts'

const E18 = 10n ** 18n
const DEFAULT_CANDLES = 300

export interface SwapDependencies {
  readonly store: SwapStore
  readonly writer: Writer
  readonly clock: Clock
  readonly view: PoolView
  readonly pools: readonly PoolDefinition[]
  readonly rules: SwapRules
  readonly quoteTtlMs: number
}

export function swapHandlers(
  deps: SwapDependencies,
): Handlers<'pairs' | 'getQuote' | 'doSwap' | 'orders' | 'getOrderStatus' | 'swapKline'> {
  const { store, writer, clock, view, rules } = deps

  function poolOf(id: string): PoolDefinition {
    const pool = deps.pools.find((each) => each.id === id)
    if (!pool) throw refusal('not_found')
    return pool
  }

  function orderItem(row: SwapOrderRow): Answer<'orders'>['items'][number] {
    const pool = poolOf(row.pool_id)
    const [sold, bought] = row.inverse ? [pool.quote, pool.base] : [pool.base, pool.quote]
    const [base, quote] = row.inverse ? [row.amount_out, row.amount_in] : [row.amount_in, row.amount_out]
    return {
      transaction_id: row.id,
      pool_id: row.pool_id,
      symbol: `${pool.base}${pool.quote}`,
      inverse: row.inverse ? 1 : 0,
      amount_in: formatAmount({ asset: sold, units: row.amount_in }),
      amount_out: formatAmount({ asset: bought, units: row.amount_out }),
      // What one of the base asset was traded for, in the quote asset.
      price: formatUnits(base === 0n ? 0n : mulDiv(quote, E18, base, 'down'), 18),
      fee: formatAmount({ asset: sold, units: row.fee }),
      status: 'completed',
      created_at: row.created_at.toISOString(),
    }
  }

  return {
    pairs: () => view.pairs(),

    async getQuote({ pool_id, amount: text, inverse }) {
      const pool = poolOf(pool_id)
      const [sold, bought] = inverse === 1 ? [pool.quote, pool.base] : [pool.base, pool.quote]
      const amountIn = readAmount(text, sold)
      const state = (await view.states()).find((each) => each.pool.id === pool.id)
      if (!state) throw refusal('not_found')
      if (state.suspended) throw refusal('trading_suspended', state.suspended)
      const direction = inverse === 1 ? 'quote_to_base' : 'base_to_quote'
      const quote = quoteExactIn({ reserves: state.reserves, direction, amountIn, fees: rules.fees })
      if (!quote) throw refusal('amount_out_of_range', { reason: 'too small to buy anything' })
      return {
        amount_out: formatAmount({ asset: bought, units: quote.amountOut }),
        amount_out_orginal: formatAmount({ asset: bought, units: quote.amountOutAtMid }),
        price_impact: formatUnits(quote.priceImpactE18, 18),
        fee: formatAmount({ asset: sold, units: quote.fee }),
        price: formatUnits(midPriceE18(state.reserves) ?? 0n, 18),
        expires_at: new Date(clock.now().getTime() + deps.quoteTtlMs).toISOString(),
      }
    },

    doSwap({ pool_id, amount, inverse, min_amount_out, deadline }, { user, idempotencyKey }) {
      const pool = poolOf(pool_id)
      const [sold, bought] = inverse === 1 ? [pool.quote, pool.base] : [pool.base, pool.quote]
      const min = parseAmount(min_amount_out, bought)
      if (!min) throw invalidField('min_amount_out', 'too many decimals')
      return writer.execute(
        executeSwap(rules, {
          userId: user.id,
          parentId: user.parentId,
          pool,
          inverse: inverse === 1,
          amountIn: readAmount(amount, sold),
          minAmountOut: min.units,
          deadline,
          key: idempotencyKey,
        }),
      )
    },

    async orders({ pool_id, cursor, limit = DEFAULT_PAGE }, { user }) {
      const rows = await store.orders(user.id, pool_id, decodeCursor(cursor), limit + 1)
      return pageOf(rows, limit, orderItem, (row) => encodeCursor({ at: row.created_at, id: row.id }))
    },

    async getOrderStatus({ transaction_id }, { user }) {
      const row = await store.order(user.id, transaction_id)
      if (!row) throw refusal('not_found')
      const { status, amount_out } = orderItem(row)
      return { transaction_id: row.id, status, amount_out }
    },

    async swapKline({ pool_id, interval, from, to, limit = DEFAULT_CANDLES }) {
      const pool = poolOf(pool_id)
      const rows = await store.candles(pool.id, interval, { from, to, limit })
      return rows.reverse().map(candleItem)
    },
  }
}

function readAmount(text: string, asset: PoolDefinition['base']): bigint {
  const amount = parseAmount(text, asset)
  if (!amount) throw invalidField('amount', 'too many decimals')
  if (amount.units === 0n) throw invalidField('amount', 'must be above zero')
  return amount.units
}

function candleItem(row: CandleRow): Answer<'swapKline'>[number] {
  return {
    time: row.starts_at.toISOString(),
    open: formatUnits(row.open_e18, 18),
    high: formatUnits(row.high_e18, 18),
    low: formatUnits(row.low_e18, 18),
    close: formatUnits(row.close_e18, 18),
    volume: formatUnits(row.volume_base, 18),
  }
}

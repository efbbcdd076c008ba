import type { Answer, Payload } from '@clearwell/api/routes'
import type { Command } from '@clearwell/ledger/command'
import type { Writer } from '@clearwell/ledger/writer'
import { formatAmount, parseAmount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import { type CandlePrices, fillGaps } from '@clearwell/rules/candle'
import { midPriceE18 } from '@clearwell/rules/swap'
import { DEFAULT_PAGE, decodeCursor, encodeCursor, pageOf } from '../../platform/http/paging.ts'
import type { Handlers, PreparedHandler } from '../../platform/http/request-context.ts'
import { invalidField, refusal } from '../../platform/ledger/refuse.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { executeSwap, quoteSwap, refuseOutsideBand, type SwapAmounts, type SwapRules } from './execute-swap.ts'
import { type PoolDefinition, symbolOf } from './open-pool.ts'
import { tradeCursorOf, tradeIdOf, tradeIdRange } from './order-id.ts'
import type { PriceBand } from './pool-breaker.ts'
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
  /** Where a pool's price may go now; `undefined` while nothing fresh is known. */
  readonly bandOf: (poolId: string) => PriceBand | undefined
}

export function swapHandlers(
  deps: SwapDependencies,
): { readonly pairs: PreparedHandler<'pairs'> } & Handlers<
  'getQuote' | 'doSwap' | 'orders' | 'getOrderStatus' | 'swapKline' | 'swapTrades'
> {
  const { store, writer, clock, view, rules } = deps

  function poolOf(id: string): PoolDefinition {
    const pool = deps.pools.find((each) => each.id === id)
    if (!pool) throw refusal('not_found')
    return pool
  }

  function tradeItem(row: SwapOrderRow): Answer<'swapTrades'>['items'][number] {
    const pool = poolOf(row.pool_id)
    const [base, quote] = sidesOf(row)
    return {
      id: tradeIdOf(row.id),
      time: row.created_at.toISOString(),
      side: row.inverse ? 'buy' : 'sell',
      price: tradePrice(base, quote),
      amount_base: formatAmount({ asset: pool.base, units: base }),
      amount_quote: formatAmount({ asset: pool.quote, units: quote }),
    }
  }

  function orderItem(row: SwapOrderRow): Answer<'orders'>['items'][number] {
    const pool = poolOf(row.pool_id)
    const [sold, bought] = row.inverse ? [pool.quote, pool.base] : [pool.base, pool.quote]
    return {
      transaction_id: row.id,
      pool_id: row.pool_id,
      symbol: symbolOf(pool),
      inverse: row.inverse ? 1 : 0,
      amount_in: formatAmount({ asset: sold, units: row.amount_in }),
      amount_out: formatAmount({ asset: bought, units: row.amount_out }),
      price: tradePrice(...sidesOf(row)),
      fee: formatAmount({ asset: sold, units: row.fee }),
      status: 'completed',
      created_at: row.created_at.toISOString(),
    }
  }

  return {
    pairs: () => view.pairs(),

    async getQuote({ pool_id, amount, inverse, exact = 'in' }) {
      const pool = poolOf(pool_id)
      const [sold, bought] = inverse === 1 ? [pool.quote, pool.base] : [pool.base, pool.quote]
      const asked =
        exact === 'in'
          ? { amountIn: readAmount('amount', amount, sold) }
          : { amountOut: readAmount('amount', amount, bought) }
      const state = (await view.states()).find((each) => each.pool.id === pool.id)
      if (!state) throw refusal('not_found')
      if (state.suspended) throw refusal('trading_suspended', { reason: state.suspended.reason })
      const quote = quoteSwap(rules.fees, state.reserves, inverse === 1, asked)
      refuseOutsideBand(deps.bandOf(pool.id), state.reserves, midPriceE18(quote.reservesAfter) ?? 0n)
      return {
        amount_in: formatAmount({ asset: sold, units: quote.amountIn }),
        amount_out: formatAmount({ asset: bought, units: quote.amountOut }),
        amount_out_orginal: formatAmount({ asset: bought, units: quote.amountOutAtMid }),
        price_impact: formatUnits(quote.priceImpactE18, 18),
        fee: formatAmount({ asset: sold, units: quote.fee }),
        price: formatUnits(midPriceE18(state.reserves) ?? 0n, 18),
        time: state.at.toISOString(),
        expires_at: new Date(clock.now().getTime() + deps.quoteTtlMs).toISOString(),
      }
    },

    doSwap(payload, { user, idempotencyKey }) {
      const pool = poolOf(payload.pool_id)
      return writer.execute(
        executeSwap(rules, {
          userId: user.id,
          parentId: user.parentId,
          pool,
          inverse: payload.inverse === 1,
          ...amountsOf(payload, pool),
          deadline: payload.deadline,
          key: idempotencyKey,
          band: deps.bandOf(pool.id),
        }),
      )
    },

    async orders({ pool_id, cursor, limit = DEFAULT_PAGE }, { user }) {
      const rows = await store.orders(user.id, pool_id, decodeCursor(cursor), limit + 1)
      return pageOf(rows, limit, orderItem, (row) => encodeCursor({ at: row.created_at, id: row.id }))
    },

    async getOrderStatus({ transaction_id, idempotency_key }, { user }) {
      if (transaction_id === undefined && idempotency_key === undefined) {
        throw invalidField('transaction_id', 'it or idempotency_key is needed')
      }
      if (idempotency_key === undefined) {
        const row = await store.order(user.id, transaction_id as string)
        if (!row) throw refusal('not_found')
        const { status, amount_in, amount_out, fee } = orderItem(row)
        return { transaction_id: row.id, status, amount_in, amount_out, fee }
      }
      if (transaction_id !== undefined) throw invalidField('idempotency_key', 'not beside transaction_id')
      let kept = await store.answerTo(user.id, idempotency_key)
      if (!kept) {
        // It may still wait its turn: after this everything that was taken before is done.
        await writer.execute(nothingAtAll(user.id))
        kept = await store.answerTo(user.id, idempotency_key)
      }
      if (!kept) throw refusal('not_found')
      if ('ok' in kept) return kept.ok
      return { transaction_id: '', status: 'failed', reason: kept.refusal, amount_in: '0', amount_out: '0', fee: '0' }
    },

    async swapKline({ pool_id, interval, from, to, limit = DEFAULT_CANDLES }) {
      const pool = poolOf(pool_id)
      const rows = await store.candles(pool.id, interval, { from, to, limit })
      // With fewer and no `from` there is nothing before them.
      const before = from && rows.length < limit ? await store.lastCandleBefore(pool.id, interval, from) : undefined
      const candles = rows.reverse().map(candleOf)
      const previousCloseE18 = before?.close_e18
      const flat = (prices: CandlePrices) => ({ ...prices, volumeBase: 0n })
      const now = clock.now()
      return fillGaps({ candles, interval, from, to, now, limit, previousCloseE18, flat }).map(candleItem)
    },

    async swapTrades({ pool_id, cursor, limit = DEFAULT_PAGE }) {
      const pool = poolOf(pool_id)
      const rows = await store.trades(pool.id, tradeIdRange(pool.id, cursor), limit + 1)
      return pageOf(rows, limit, tradeItem, (row) => tradeCursorOf(row.id))
    },
  }
}

function sidesOf(row: SwapOrderRow): [base: bigint, quote: bigint] {
  return row.inverse ? [row.amount_out, row.amount_in] : [row.amount_in, row.amount_out]
}

/** What one of the base asset was traded for, in the quote asset. */
function tradePrice(base: bigint, quote: bigint): string {
  return formatUnits(base === 0n ? 0n : mulDiv(quote, E18, base, 'down'), 18)
}

/** Changes nothing. Its answer comes after those of all commands before it. */
function nothingAtAll(owner: string): Command<null> {
  return { kind: 'nothing', owner, payload: {}, touches: [], decide: () => ({ answer: null }) }
}

/** What a swap fixes and what it leaves to the pool, in base units. */
function amountsOf(
  { exact = 'in', amount, inverse, min_amount_out, max_amount_in }: Payload<'doSwap'>,
  pool: PoolDefinition,
): SwapAmounts {
  const [sold, bought] = inverse === 1 ? [pool.quote, pool.base] : [pool.base, pool.quote]
  if (exact === 'in') {
    if (max_amount_in !== undefined) throw invalidField('max_amount_in', 'goes with exact = out')
    return {
      amountIn: readAmount('amount', amount, sold),
      minAmountOut: readLimit('min_amount_out', min_amount_out, bought),
    }
  }
  if (min_amount_out !== undefined) throw invalidField('min_amount_out', 'goes with exact = in')
  return {
    amountOut: readAmount('amount', amount, bought),
    maxAmountIn: readLimit('max_amount_in', max_amount_in, sold),
  }
}

function readAmount(field: string, text: string, asset: AssetId): bigint {
  const units = readLimit(field, text, asset)
  if (units === 0n) throw invalidField(field, 'must be above zero')
  return units
}

function readLimit(field: string, text: string | undefined, asset: AssetId): bigint {
  if (text === undefined) throw invalidField(field, 'is needed')
  const amount = parseAmount(text, asset)
  if (!amount) throw invalidField(field, 'too many decimals')
  return amount.units
}

/** All that a chart shows of a candle. */
interface ChartCandle extends CandlePrices {
  readonly volumeBase: bigint
}

function candleOf(row: CandleRow): ChartCandle {
  return {
    startsAt: row.starts_at,
    openE18: row.open_e18,
    highE18: row.high_e18,
    lowE18: row.low_e18,
    closeE18: row.close_e18,
    volumeBase: row.volume_base,
  }
}

function candleItem(candle: ChartCandle): Answer<'swapKline'>[number] {
  return {
    time: candle.startsAt.toISOString(),
    open: formatUnits(candle.openE18, 18),
    high: formatUnits(candle.highE18, 18),
    low: formatUnits(candle.lowE18, 18),
    close: formatUnits(candle.closeE18, 18),
    volume: formatUnits(candle.volumeBase, 18),
  }
}

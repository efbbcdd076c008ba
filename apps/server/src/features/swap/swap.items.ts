import type { ResponseOf } from '@clearwell/api/routes'
import { formatAmount } from '@clearwell/money/amount'
import { formatUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import { E18 } from '@clearwell/money/scale'
import type { CandlePrices } from '@clearwell/rules/candle'
import { type PoolDefinition, sidesOf, symbolOf } from './open-pool.ts'
import { tradeIdOf } from './order-id.ts'
import type { CandleRow, SwapOrderRow } from './swap.tables.ts'

/** The owner's view of a swap. */
export function orderItem(pool: PoolDefinition, row: SwapOrderRow): ResponseOf<'orders'>['items'][number] {
  const [sold, bought] = sidesOf(pool, row.inverse)
  return {
    transaction_id: row.id,
    pool_id: row.pool_id,
    symbol: symbolOf(pool),
    inverse: row.inverse ? 1 : 0,
    amount_in: formatAmount({ asset: sold, units: row.amount_in }),
    amount_out: formatAmount({ asset: bought, units: row.amount_out }),
    price: tradePrice(row),
    fee: formatAmount({ asset: sold, units: row.fee }),
    status: 'completed',
    created_at: row.created_at.toISOString(),
  }
}

/** The public view of a swap: without its owner. */
export function tradeItem(pool: PoolDefinition, row: SwapOrderRow): ResponseOf<'swapTrades'>['items'][number] {
  const [base, quote] = amountsOf(row)
  return {
    id: tradeIdOf(row.id),
    time: row.created_at.toISOString(),
    side: row.inverse ? 'buy' : 'sell',
    price: tradePrice(row),
    amount_base: formatAmount({ asset: pool.base, units: base }),
    amount_quote: formatAmount({ asset: pool.quote, units: quote }),
  }
}

/** A candle's prices and its volume in the base asset. */
export interface ChartCandle extends CandlePrices {
  readonly volumeBase: bigint
}

export function chartCandle(row: CandleRow): ChartCandle {
  return {
    startsAt: row.starts_at,
    openE18: row.open_e18,
    highE18: row.high_e18,
    lowE18: row.low_e18,
    closeE18: row.close_e18,
    volumeBase: row.volume_base,
  }
}

export function candleItem(candle: ChartCandle): ResponseOf<'swapKline'>[number] {
  return {
    time: candle.startsAt.toISOString(),
    open: formatUnits(candle.openE18, 18),
    high: formatUnits(candle.highE18, 18),
    low: formatUnits(candle.lowE18, 18),
    close: formatUnits(candle.closeE18, 18),
    volume: formatUnits(candle.volumeBase, 18),
  }
}

function amountsOf(row: SwapOrderRow): [base: bigint, quote: bigint] {
  return row.inverse ? [row.amount_out, row.amount_in] : [row.amount_in, row.amount_out]
}

/** The price of one unit of the base asset, in the quote asset. */
function tradePrice(row: SwapOrderRow): string {
  const [base, quote] = amountsOf(row)
  return formatUnits(base === 0n ? 0n : mulDiv(quote, E18, base, 'down'), 18)
}

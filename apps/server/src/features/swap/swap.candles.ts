import { type RowWrite, type State, write } from '@clearwell/ledger/command'
import { addTrade, CANDLE_INTERVALS, type CandleInterval, type CandleTrade, candleStart } from '@clearwell/rules/candle'
import { midPriceE18, type PoolReserves, type SwapQuote } from '@clearwell/rules/swap'
import { swapCandles } from './swap.tables.ts'

/** The pool's candles of all intervals after one more swap. */
export function candlesAfter(
  state: State,
  { pool_id: poolId, inverse, created_at: at }: { pool_id: string; inverse: boolean; created_at: Date },
  { reserves, quote }: { reserves: PoolReserves; quote: SwapQuote },
): RowWrite[] {
  const trade = tradeOf(reserves, quote, inverse)
  if (trade.beforeE18 === 0n || trade.priceE18 === 0n) return []
  const current = CANDLE_INTERVALS.map((interval) => {
    const startsAt = candleStart(at, interval)
    return { interval, startsAt, id: candleId(poolId, interval, startsAt) }
  })
  const rows = state.rows(
    swapCandles,
    current.map(({ id }) => id),
  )
  return current.map(({ interval, startsAt, id }, index) => {
    const row = rows[index]
    const candle = addTrade(
      row && {
        openE18: row.open_e18,
        highE18: row.high_e18,
        lowE18: row.low_e18,
        closeE18: row.close_e18,
        volumeBase: row.volume_base,
        volumeQuote: row.volume_quote,
        tradeCount: row.trade_count,
      },
      trade,
    )
    return write(swapCandles, {
      id,
      pool_id: poolId,
      span: interval,
      starts_at: startsAt,
      open_e18: candle.openE18,
      high_e18: candle.highE18,
      low_e18: candle.lowE18,
      close_e18: candle.closeE18,
      volume_base: candle.volumeBase,
      volume_quote: candle.volumeQuote,
      trade_count: candle.tradeCount,
    })
  })
}

function candleId(poolId: string, interval: CandleInterval, startsAt: Date): string {
  return `${poolId}:${interval}:${startsAt.getTime() / 1000}`
}

/** The swap's prices and volumes for candles. A price of 0 means no price. */
function tradeOf(reserves: PoolReserves, quote: SwapQuote, inverse: boolean): CandleTrade {
  const [volumeBase, volumeQuote] = inverse ? [quote.amountOut, quote.amountIn] : [quote.amountIn, quote.amountOut]
  return {
    beforeE18: midPriceE18(reserves) ?? 0n,
    priceE18: midPriceE18(quote.reservesAfter) ?? 0n,
    volumeBase,
    volumeQuote,
  }
}

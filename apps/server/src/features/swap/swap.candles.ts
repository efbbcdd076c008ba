import { type RowWrite, type State, write } from '@clearwell/ledger/command'
import { addTrade, CANDLE_INTERVALS, type CandleInterval, type CandleTrade, candleStart } from '@clearwell/rules/candle'
import { swapCandles } from './swap.tables.ts'

function candleId(poolId: string, interval: CandleInterval, startsAt: Date): string {
  return `${poolId}:${interval}:${startsAt.getTime() / 1000}`
}

/** The pool's candles of all intervals after one more trade. */
export function candlesAfter(state: State, poolId: string, at: Date, trade: CandleTrade): RowWrite[] {
  return CANDLE_INTERVALS.map((interval) => {
    const startsAt = candleStart(at, interval)
    const id = candleId(poolId, interval, startsAt)
    const row = state.row(swapCandles, id)
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

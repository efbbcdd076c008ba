import type { marketRoutes } from '@clearwell/api/market.routes'
import type { ResponseOf } from '@clearwell/api/routes'
import { formatUnits } from '@clearwell/money/decimal'
import type { HandlersOf } from '../../platform/http/request-context.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import { type SpotCandle, type SpotSource, SpotUnavailable } from '../../platform/market-data/spot-source.ts'
import type { Tickers } from './tickers.ts'

const DEFAULT_SYMBOL = 'BNBUSDT'
const DEFAULT_CANDLES = 300

export function marketHandlers({
  source,
  tickers,
}: {
  source: Pick<SpotSource, 'candles'>
  tickers: Tickers
}): HandlersOf<typeof marketRoutes, 'spotTicker'> {
  return {
    spotTicker: ({ symbol = DEFAULT_SYMBOL }) => tickers.get(symbol),

    async spotKline({ symbol = DEFAULT_SYMBOL, interval, from, to, limit = DEFAULT_CANDLES }) {
      const candles = await source.candles(symbol, { interval, from, to, limit }).catch((error) => {
        throw error instanceof SpotUnavailable ? refusal('price_out_of_date') : error
      })
      if (!candles) throw refusal('not_found')
      return candles.map(candleItem)
    },
  }
}

function candleItem(candle: SpotCandle): ResponseOf<'spotKline'>[number] {
  return {
    time: candle.startsAt.toISOString(),
    open: formatUnits(candle.openE18, 18),
    high: formatUnits(candle.highE18, 18),
    low: formatUnits(candle.lowE18, 18),
    close: formatUnits(candle.closeE18, 18),
    volume: formatUnits(candle.volume, 18),
  }
}

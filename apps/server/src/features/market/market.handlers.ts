import type { Answer } from '@clearwell/api/routes'
import { formatUnits } from '@clearwell/money/decimal'
import type { Handlers } from '../../platform/http/request-context.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import { type SpotCandle, type SpotSource, SpotUnavailable } from '../../platform/market-data/spot-source.ts'

const DEFAULT_SYMBOL = 'BNBUSDT'
const DEFAULT_CANDLES = 300

export function marketHandlers({ source }: { source: SpotSource }): Handlers<'spotTicker' | 'spotKline'> {
  return {
    async spotTicker({ symbol = DEFAULT_SYMBOL }) {
      if (!source.symbols.has(symbol)) throw refusal('not_found')
      const ticker = await source.ticker(symbol)
      if (!ticker) throw refusal('price_out_of_date')
      return {
        symbol: ticker.symbol,
        price: formatUnits(ticker.priceE18, 18),
        change_24h: formatUnits(ticker.changePpm, 6),
        high_24h: formatUnits(ticker.highE18, 18),
        low_24h: formatUnits(ticker.lowE18, 18),
        volume_24h: formatUnits(ticker.volume, 18),
        time: ticker.time.toISOString(),
        stale: ticker.stale,
        source: ticker.source,
        sources: ticker.sources.map(({ name, priceE18, time, stale, outlier }) => ({
          name,
          price: formatUnits(priceE18, 18),
          time: time.toISOString(),
          stale,
          outlier,
        })),
      }
    },

    async spotKline({ symbol = DEFAULT_SYMBOL, interval, from, to, limit = DEFAULT_CANDLES }) {
      const candles = await source.candles(symbol, { interval, from, to, limit }).catch((error) => {
        throw error instanceof SpotUnavailable ? refusal('price_out_of_date') : error
      })
      if (!candles) throw refusal('not_found')
      return candles.map(candleItem)
    },
  }
}

function candleItem(candle: SpotCandle): Answer<'spotKline'>[number] {
  return {
    time: candle.startsAt.toISOString(),
    open: formatUnits(candle.openE18, 18),
    high: formatUnits(candle.highE18, 18),
    low: formatUnits(candle.lowE18, 18),
    close: formatUnits(candle.closeE18, 18),
    volume: formatUnits(candle.volume, 18),
  }
}

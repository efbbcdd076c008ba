import { marketRoutes } from '@clearwell/api/market.routes'
import { defineFeature } from '../../platform/feature.ts'
import { createSpotPrices } from '../../platform/market-data/spot-prices.ts'
import { priceSources } from '../../platform/prices/prices.ts'
import { channels } from '../../platform/stream/channel.ts'
import { marketHandlers } from './market.handlers.ts'
import { createTickers, tickerChannel } from './tickers.ts'

export const marketFeature = defineFeature({
  name: 'market',
  about: { en: 'Markets: spot prices, candles, trades', 'zh-HK': '市場：現貨價、陰陽燭圖、成交紀錄' },
  routes: marketRoutes,
  open({ clock, spot: { source } }) {
    const tickers = createTickers({ source, clock })
    return {
      handlers: marketHandlers({ source, tickers }),
      provides: [priceSources.by(createSpotPrices(source)), channels.by(tickerChannel(tickers))],
      // A price was set by hand: the next poll has it.
      local: { runDue: async () => tickers.drop() },
    }
  },
})

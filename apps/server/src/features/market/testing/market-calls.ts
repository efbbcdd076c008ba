import type { ResponseOf } from '@clearwell/api/routes'
import { createApp } from '../../../platform/http/create-app.ts'
import type { SpotSource, SpotTicker } from '../../../platform/market-data/spot-source.ts'
import { marketHandlers } from '../market.handlers.ts'
import { createTickers } from '../tickers.ts'

export const E18 = 10n ** 18n
export const NOW = new Date('2026-11-21T09:00:00Z')

/** A source with two symbols that share these values. */
export function sourceOf(figures: Partial<SpotTicker>): SpotSource {
  return {
    symbols: new Set(['BNBUSDT', 'ETHUSDT']),
    quote: () => undefined,
    ticker: async (asked) =>
      asked === 'BNBUSDT' || asked === 'ETHUSDT'
        ? {
            symbol: asked,
            priceE18: 620n * E18,
            changePpm: 0n,
            highE18: 0n,
            lowE18: 0n,
            volume: 0n,
            time: NOW,
            state: 'fresh',
            source: 'somewhere',
            sources: [],
            ...figures,
          }
        : undefined,
    candles: async () => undefined,
  }
}

/** An app with this feature's calls on the given source. */
export function appOf(source: SpotSource) {
  return createApp({
    handlers: handlersOf(source),
    findSession: async () => undefined,
    failingParts: () => [],
    onBug: (error) => {
      throw error
    },
    requestsPerMinute: 1_000,
    webFolder: undefined,
    connectOrigins: [],
    productName: 'Clearwell',
  })
}

export const handlersOf = (source: SpotSource) =>
  marketHandlers({ source, tickers: createTickers({ source, clock: { now: () => NOW } }) })

/** The response of `spotTicker` for these source values. */
export async function tickerOf(figures: Partial<SpotTicker>, symbol?: string): Promise<ResponseOf<'spotTicker'>> {
  const { spotTicker } = handlersOf(sourceOf(figures))
  return (
    await spotTicker(symbol === undefined ? {} : { symbol }, {
      locale: 'en',
      idempotencyKey: undefined,
      clientAddress: '::1',
    })
  ).data
}

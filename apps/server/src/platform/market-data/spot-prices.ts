import { CANDLE_MS } from '@clearwell/rules/candle'
import type { Price, PriceSource } from '../prices/prices.ts'
import { shownPrice } from './judge-readings.ts'
import { type SpotQuote, type SpotSource, SpotUnavailable } from './spot-source.ts'

const INTERVAL = '1h'

/** The spot market's prices, for the price service. */
export function createSpotPrices(source: SpotSource): PriceSource {
  return {
    symbols: async () => source.symbols,
    price: async (symbol) => priceOf(source.quote(symbol)),
    pricesAtE18: (symbol, times) => Promise.all(times.map((time) => priceAtE18(source, symbol, time))),
  }
}

/** The price that is shown. It is stale unless money may use it. */
function priceOf(quote: SpotQuote | undefined): Price | undefined {
  const priceE18 = quote && shownPrice(quote)
  if (!quote || quote.state === 'unknown' || priceE18 === undefined) return undefined
  const { state, time } = quote
  return state === 'fresh' || state === 'apart'
    ? { priceE18, time, stale: false }
    : { priceE18, time, stale: true, reason: state }
}

/**
 * The close of the last hour that had ended by a past time, or the open of the current hour where the source has no
 * earlier candle. `undefined` for an unknown symbol, before its first candle, and while the source is unavailable.
 */
async function priceAtE18(source: SpotSource, symbol: string, time: Date): Promise<bigint | undefined> {
  const hourMs = CANDLE_MS[INTERVAL]
  // `to` is exclusive: a candle that starts at `time` only has later prices.
  const window = { interval: INTERVAL, from: undefined, to: time, limit: 2 } as const
  const candles = await source.candles(symbol, window).catch((error) => {
    if (error instanceof SpotUnavailable) return undefined
    throw error
  })
  const ended = candles?.filter((candle) => candle.startsAt.getTime() + hourMs <= time.getTime())
  return ended?.at(-1)?.closeE18 ?? candles?.at(-1)?.openE18
}

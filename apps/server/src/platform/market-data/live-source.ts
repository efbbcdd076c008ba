import { maxUnits, minUnits } from '@clearwell/money/min-max'
import type { Clock } from '../time/clock.ts'
import type { Exchange } from './binance-exchange.ts'
import type { ChainlinkFeeds } from './chainlink-feeds.ts'
import { type Combined, type CombineRules, combineReadings } from './combine-readings.ts'
import { createLiveCandles } from './live-candles.ts'
import type { SpotSource } from './spot-source.ts'

const PPM = 1_000_000n

export interface LiveSource extends SpotSource {
  /** Stores the sources' current readings of a symbol. */
  update(symbol: string): Combined
}

/**
 * Creates a source of prices that an exchange and Chainlink's feeds agree on (see `combineReadings`), read from memory.
 * While they agree on no price, the last good price is shown with its time, as stale. There is no ticker before the first
 * good price and the exchange's first 24-hour figures.
 *
 * The 24-hour figures are the exchange's. A price beyond its high or low widens them.
 */
export function createLiveSource({
  symbols,
  exchange,
  feeds,
  clock,
  rules,
  onFault,
}: {
  symbols: ReadonlySet<string>
  exchange: Exchange
  feeds: Pick<ChainlinkFeeds, 'reading'>
  clock: Clock
  rules: CombineRules
  onFault: (kind: string, error: unknown) => void
}): LiveSource {
  const lastGood = new Map<string, Extract<Combined, { priceE18: bigint }>>()
  const candlesOf = createLiveCandles({ exchange, clock })

  function update(symbol: string): Combined {
    const readings = [exchange.reading(symbol), feeds.reading(symbol)].filter((each) => each !== undefined)
    const combined = combineReadings(readings, clock.now(), rules)
    if (combined.priceE18 !== undefined) lastGood.set(symbol, combined)
    return combined
  }

  return {
    symbols,
    update(symbol) {
      const combined = update(symbol)
      if (combined.priceE18 === undefined) {
        const why = combined.reason === 'stale' ? 'no source is fresh' : 'the sources disagree'
        onFault(`the price of ${symbol}: ${why}`, new Error('nothing is borrowed or liquidated on it'))
      }
      return combined
    },
    async ticker(symbol) {
      if (!symbols.has(symbol)) return undefined
      const { priceE18, sources } = update(symbol)
      const [good, day] = [lastGood.get(symbol), exchange.figures(symbol)]
      if (!good || !day) return undefined
      return {
        symbol,
        priceE18: good.priceE18,
        changePpm: ((good.priceE18 - day.openE18) * PPM) / day.openE18,
        highE18: maxUnits(day.highE18, good.priceE18),
        lowE18: minUnits(day.lowE18, good.priceE18),
        volume: day.volume,
        time: good.time,
        stale: priceE18 === undefined,
        source: good.names.join(', '),
        sources,
      }
    },
    candles: async (symbol, window) => (symbols.has(symbol) ? candlesOf(symbol, window) : undefined),
  }
}

import { maxUnits, minUnits } from '@clearwell/money/min-max'
import type { Clock } from '../time/clock.ts'
import type { Exchange } from './binance-exchange.ts'
import type { DayFigures } from './binance-messages.ts'
import type { ChainlinkFeeds } from './chainlink-feeds.ts'
import { type Judgement, judgeReadings, listSources, type ReadingRules, shownPrice } from './judge-readings.ts'
import { createLiveCandles } from './live-candles.ts'
import { PriceRecovery, type Recovering } from './price-recovery.ts'
import type { SpotQuote, SpotSource, SpotTicker } from './spot-source.ts'

const PPM = 1_000_000n

export interface LiveSource extends SpotSource {
  /** A regular look at a symbol. Two in a row that find two fresh sources give money its price back. */
  look(symbol: string): SpotQuote & Recovering
}

/**
 * Creates a source of prices from an exchange and Chainlink's feeds, judged by `judgeReadings`, read from memory.
 *
 * The 24-hour figures are the exchange's, and no price depends on them. A price beyond their high or low widens them.
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
  rules: ReadingRules
  onFault: (kind: string, error: unknown) => void
}): LiveSource {
  const recoveries = new Map([...symbols].map((symbol) => [symbol, new PriceRecovery()]))
  const candlesOf = createLiveCandles({ exchange, clock })

  function judge(symbol: string, by: 'judge' | 'look'): SpotQuote & Recovering {
    const now = clock.now()
    const readings = [exchange.reading(symbol), feeds.reading(symbol)].filter((each) => each !== undefined)
    const recovery = recoveries.get(symbol) as PriceRecovery
    const judgement = recovery[by](judgeReadings(readings, now, rules))
    return { ...judgement, sources: listSources(readings, now, rules) }
  }

  return {
    symbols,
    quote: (symbol) => (symbols.has(symbol) ? judge(symbol, 'judge') : undefined),
    look(symbol) {
      const quote = judge(symbol, 'look')
      const fault = quote.isRecovering ? undefined : faultOf(quote)
      if (fault) onFault(`the price of ${symbol}: ${fault.what}`, new Error(fault.effect))
      return quote
    },
    async ticker(symbol) {
      if (!symbols.has(symbol)) return undefined
      const { sources, ...quote } = judge(symbol, 'judge')
      const priceE18 = shownPrice(quote)
      return {
        symbol,
        state: quote.state,
        priceE18,
        time: quote.state === 'unknown' ? undefined : quote.time,
        ...dayOf(exchange.figures(symbol), priceE18),
        source: namesOf(sources),
        sources,
      }
    },
    candles: async (symbol, window) => (symbols.has(symbol) ? candlesOf(symbol, window) : undefined),
  }
}

function namesOf(sources: SpotQuote['sources']): string {
  const fresh = sources.filter(({ stale }) => !stale)
  return (fresh.length > 0 ? fresh : sources).map(({ name }) => name).join(', ')
}

function dayOf(
  day: DayFigures | undefined,
  priceE18: bigint | undefined,
): Pick<SpotTicker, 'changePpm' | 'highE18' | 'lowE18' | 'volume'> {
  const { highE18, lowE18, volume } = day ?? {}
  if (!day || priceE18 === undefined) return { changePpm: undefined, highE18, lowE18, volume }
  return {
    changePpm: ((priceE18 - day.openE18) * PPM) / day.openE18,
    highE18: maxUnits(day.highE18, priceE18),
    lowE18: minUnits(day.lowE18, priceE18),
    volume,
  }
}

/** The report to the operator about a price that money cannot use, or only in part. */
function faultOf(judgement: Judgement): { readonly what: string; readonly effect: string } | undefined {
  const nothing = 'nothing is borrowed or liquidated on it'
  switch (judgement.state) {
    case 'fresh':
      return undefined
    case 'apart':
      return { what: 'the sources are apart', effect: 'nothing is borrowed on it' }
    case 'one_source':
      return { what: 'only one source is fresh', effect: nothing }
    case 'stale':
      return { what: 'no source is fresh', effect: nothing }
    case 'unknown':
      return { what: judgement.why === 'never_read' ? 'no source was read' : 'the sources disagree', effect: nothing }
  }
}

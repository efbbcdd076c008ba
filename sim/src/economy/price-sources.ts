import { type MarketConfig, market } from '@clearwell/server/src/config/market-config.ts'
import { combinePrices, type KnownPrices } from '@clearwell/server/src/domain/lending/loan-prices.ts'
import {
  judgeReadings,
  listSources,
  type ReadingRules,
} from '@clearwell/server/src/platform/market-data/judge-readings.ts'
import type { SpotQuote } from '@clearwell/server/src/platform/market-data/spot-source.ts'
import type { LastPrice } from '@clearwell/server/src/platform/prices/last-prices.ts'
import { moneyPriceOf, priceOfUsdt } from '@clearwell/server/src/platform/prices/money-prices.ts'
import { PRODUCTION } from './production.ts'

const RULES = readingRules(market.parse(PRODUCTION.market))

function readingRules(config: MarketConfig): ReadingRules {
  if (config.source !== 'live') throw new RangeError('production has live prices')
  return config
}

/** The sources of the price of BNB, and the prices that money has by them, as the server judges them. */
export class PriceSources {
  #fresh: readonly bigint[] = []
  #last: LastPrice | undefined

  /** @param fresh the price of each source that is fresh from now on, at 10^18. */
  set(fresh: readonly bigint[], now: Date): void {
    this.#fresh = fresh
    const judged = this.#judge(now)
    if ('meanE18' in judged) this.#last = judged
  }

  /** The prices of a loan of USDT that BNB secures. */
  pricesAt(now: Date): KnownPrices {
    return combinePrices(moneyPriceOf(this.#judge(now), this.#last), priceOfUsdt(now))
  }

  #judge(now: Date): SpotQuote {
    const readings = this.#fresh.map((priceE18, index) => ({ name: `source ${index}`, priceE18, time: now }))
    return { ...judgeReadings(readings, now, RULES), sources: listSources(readings, now, RULES) }
  }
}

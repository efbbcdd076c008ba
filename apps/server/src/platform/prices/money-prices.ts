import type { AssetId } from '@clearwell/money/asset'
import { maxUnits, minUnits } from '@clearwell/money/min-max'
import type { SpotQuote, SpotSource } from '../market-data/spot-source.ts'
import type { Clock } from '../time/clock.ts'
import type { LastPrice, LastPrices } from './last-prices.ts'

const ONE_USDT_E18 = 10n ** 18n
/** USDT is worth one USDT at any time; the end only serves callers that compare times. */
const USDT_GOOD_MS = 86_400_000

/**
 * The price of an asset in USDT, for money. "Unknown" is a separate value: never zero and never a pool's price.
 */
export type MoneyPrice =
  /** Two fresh sources: at most maxDisagreementBps apart ('fresh'), or at most maxClearingDisagreementBps ('apart'). E18. */
  | {
      readonly state: 'fresh' | 'apart'
      readonly lowE18: bigint
      readonly highE18: bigint
      /** Half-way between both, rounded down. */
      readonly meanE18: bigint
      /** The time of the older of the two. */
      readonly time: Date
      /** Until then the price counts; a command that is decided later has no price. */
      readonly goodUntil: Date
    }
  /** Money does not move. `lastE18` is the last price that money could use (mean), if there was one. */
  | {
      readonly state: 'one_source' | 'stale' | 'unknown'
      /** The lowest and the highest price of the sources that are fresh alone, or contradict each other. Absent without any. */
      readonly reading?: { readonly lowE18: bigint; readonly highE18: bigint } | undefined
      readonly lastE18: bigint | undefined
      /** The time of `lastE18`. */
      readonly time: Date | undefined
    }

/**
 * The only prices that money may move by: two fresh sources of the spot market.
 *
 * An asset that the spot market does not list, such as RT, has none.
 */
export interface MoneyPrices {
  /** From memory. USDT is always 'fresh' at exactly 1. */
  price(asset: AssetId): Promise<MoneyPrice>
}

export function createMoneyPrices({
  spot,
  last,
  clock,
}: {
  readonly spot: Pick<SpotSource, 'quote'>
  readonly last: Pick<LastPrices, 'of'>
  readonly clock: Clock
}): MoneyPrices {
  return {
    async price(asset) {
      if (asset === 'USDT') return priceOfUsdt(clock.now())
      const symbol = `${asset}USDT`
      return moneyPriceOf(spot.quote(symbol), last.of(symbol))
    },
  }
}

/**
 * Returns the price of an asset for money.
 *
 * @param quote `undefined` for an asset that the spot market does not list.
 * @param last the last price that money could use.
 */
export function moneyPriceOf(quote: SpotQuote | undefined, last: LastPrice | undefined): MoneyPrice {
  if (quote?.state === 'fresh' || quote?.state === 'apart') {
    const { state, lowE18, highE18, meanE18, time, goodUntil } = quote
    return { state, lowE18, highE18, meanE18, time, goodUntil }
  }
  return { state: quote?.state ?? 'unknown', reading: readingOf(quote), lastE18: last?.meanE18, time: last?.time }
}

function readingOf(quote: SpotQuote | undefined): { lowE18: bigint; highE18: bigint } | undefined {
  const fresh = quote?.sources.filter(({ stale }) => !stale).map(({ priceE18 }) => priceE18) ?? []
  return fresh.length === 0 ? undefined : { lowE18: fresh.reduce(minUnits), highE18: fresh.reduce(maxUnits) }
}

export function priceOfUsdt(now: Date): MoneyPrice {
  const goodUntil = new Date(now.getTime() + USDT_GOOD_MS)
  const price = { lowE18: ONE_USDT_E18, highE18: ONE_USDT_E18, meanE18: ONE_USDT_E18 }
  return { state: 'fresh', ...price, time: now, goodUntil }
}

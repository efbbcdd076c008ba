import { E18 } from '@clearwell/money/scale'
import { sidesOf } from '@clearwell/rules/price-sides'
import type { KnownPrices, UsablePrices } from '../loan-prices.ts'

const FRESH_MS = 60_000

/** Two fresh sources of the collateral, in a borrowed asset of price 1. @param lowE18 and @param highE18 at 10^18. */
export function pricesBetween(
  now: Date,
  lowE18: bigint,
  highE18: bigint,
  state: UsablePrices['state'] = 'fresh',
): UsablePrices {
  const one = { lowE18: E18, highE18: E18, meanE18: E18 }
  const sides = sidesOf({ lowE18, highE18, meanE18: (lowE18 + highE18) / 2n }, one)
  return { ...sides, state, time: now, goodUntil: new Date(now.getTime() + FRESH_MS) }
}

/** One price of two sources that agree. */
export const pricesAt = (now: Date, priceE18: bigint): UsablePrices => pricesBetween(now, priceE18, priceE18)

/** Prices that money cannot use. @param lastE18 the last one that it could. @param readingE18 what a single source says now. */
export function lostPrices(
  state: 'one_source' | 'stale' | 'unknown',
  lastE18?: bigint,
  readingE18?: bigint,
): KnownPrices {
  const pair = (collateral: bigint | undefined) =>
    collateral === undefined ? undefined : { collateral, borrowed: E18 }
  return { state, last: pair(lastE18), reading: pair(readingE18) }
}

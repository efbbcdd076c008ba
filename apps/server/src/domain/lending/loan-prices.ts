import { countUnsure, type LossTerms } from '@clearwell/rules/known-loss'
import type { LoanPrices } from '@clearwell/rules/loan'
import { type PriceSides, sidesOf } from '@clearwell/rules/price-sides'
import { refusal } from '../../platform/ledger/refuse.ts'
import type { MoneyPrice } from '../../platform/prices/money-prices.ts'

/** Prices of both assets of a loan in USDT that money may move by, and until when. */
export interface UsablePrices extends PriceSides {
  /** `apart`: good for clearing and for warnings, but nothing is borrowed and no collateral is taken back. */
  readonly state: 'fresh' | 'apart'
  /** The time of the older price. */
  readonly time: Date
  readonly goodUntil: Date
}

/** Money does not move: a price is missing. */
interface MissingPrices {
  readonly state: 'one_source' | 'stale' | 'unknown'
  /** The last prices that money could use; `undefined` if there never were any. */
  readonly last: LoanPrices | undefined
  /** The prices of single sources now, see `UnsurePrices` in packages/rules. */
  readonly reading?: LoanPrices | undefined
}

/** The knowledge about the prices of both assets of a loan. */
export type KnownPrices = UsablePrices | MissingPrices

/** Combines the prices of both assets: the pair is as good as the worse of them. */
export function combinePrices(collateral: MoneyPrice, borrowed: MoneyPrice): KnownPrices {
  if ('meanE18' in collateral && 'meanE18' in borrowed)
    return {
      ...sidesOf(collateral, borrowed),
      state: collateral.state === 'apart' ? collateral.state : borrowed.state,
      time: earlier(collateral.time, borrowed.time),
      goodUntil: earlier(collateral.goodUntil, borrowed.goodUntil),
    }
  const [one, other] = [lastOf(collateral), lastOf(borrowed)]
  const last = one !== undefined && other !== undefined ? { collateral: one, borrowed: other } : undefined
  const reading = readingOf(collateral, borrowed, last)
  return { state: worseOf(collateral.state, borrowed.state), last, reading }
}

/** The lowest fresh price of the collateral and the highest of the borrowed asset; the last price of one that has none. */
function readingOf(collateral: MoneyPrice, borrowed: MoneyPrice, last: LoanPrices | undefined): LoanPrices | undefined {
  const low = (sidesOfOne(collateral) ?? { lowE18: last?.collateral }).lowE18
  const high = (sidesOfOne(borrowed) ?? { highE18: last?.borrowed }).highE18
  return low === undefined || high === undefined ? undefined : { collateral: low, borrowed: high }
}

function sidesOfOne(price: MoneyPrice) {
  return 'meanE18' in price ? price : price.reading
}

/** Returns the prices that money may move by at a time: also a usable one grows old while a command waits. */
export function usableAt(prices: KnownPrices, now: Date): UsablePrices | undefined {
  return 'mean' in prices && now <= prices.goodUntil ? prices : undefined
}

/**
 * Returns prices for borrowing and for taking collateral back: two sources that agree.
 *
 * @throws Refusal `price_out_of_date` with the reason.
 */
export function requireFreshPrices(prices: KnownPrices, now: Date): UsablePrices {
  const usable = requireUsablePrices(prices, now)
  if (usable.state !== 'fresh') throw refusal('price_out_of_date', { reason: usable.state })
  return usable
}

/**
 * Returns prices for clearing: two sources, not farther apart than clearing allows.
 *
 * @throws Refusal `price_out_of_date` with the reason.
 */
export function requireUsablePrices(prices: KnownPrices, now: Date): UsablePrices {
  const usable = usableAt(prices, now)
  if (usable) return usable
  throw refusal('price_out_of_date', { reason: 'mean' in prices ? 'stale' : prices.state })
}

/**
 * Returns how collateral counts for a known loss: at the worse prices of the borrower, which are the worse ones of the pledgers too. By
 * the mean, a pledger who leaves while one source lags would be paid by those who stay. While money has no price, see `countUnsure`.
 *
 * @param unknownBps the part of a last price that counts, in basis points.
 * @returns `undefined` if there never was a price.
 */
export function lossPricesAt(
  prices: KnownPrices,
  now: Date,
  unknownBps: bigint,
): Pick<LossTerms, 'prices' | 'countedBps'> | undefined {
  const usable = usableAt(prices, now)
  if (usable) return { prices: usable.worse, countedBps: 10_000n }
  const [last, reading] = 'mean' in prices ? [prices.worse, undefined] : [prices.last, prices.reading]
  return last && countUnsure({ last, reading }, unknownBps)
}

function lastOf(price: MoneyPrice): bigint | undefined {
  return 'meanE18' in price ? price.meanE18 : price.lastE18
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other
}

const WORST_FIRST = ['unknown', 'stale', 'one_source'] as const

function worseOf(one: MoneyPrice['state'], other: MoneyPrice['state']): MissingPrices['state'] {
  return WORST_FIRST.find((state) => state === one || state === other) ?? 'unknown'
}

import type { AssetId } from '@clearwell/money/asset'
import type { LoanPrices } from '@clearwell/rules/loan'
import { refusal } from '../ledger/refuse.ts'
import type { Prices } from '../prices/prices.ts'

const E18 = 10n ** 18n

/** Prices of both assets of a loan in USDT, and until when money may move by them. */
export interface FreshPrices extends LoanPrices {
  /** The time of the older price. */
  readonly time: Date
  readonly goodUntil: Date
}

/**
 * Reads the prices of both assets of a loan.
 *
 * @param staleAfterMs the age at which a price is out of date.
 * @throws Refusal `price_out_of_date` if a price is stale or unknown.
 */
export async function readLoanPrices(
  deps: { readonly prices: Prices; readonly staleAfterMs: number; readonly now: () => Date },
  { collateral, borrowed }: { readonly collateral: AssetId; readonly borrowed: AssetId },
): Promise<FreshPrices> {
  const [one, other] = await Promise.all([readPrice(deps, collateral), readPrice(deps, borrowed)])
  const time = new Date(Math.min(one.time.getTime(), other.time.getTime()))
  const goodUntil = new Date(time.getTime() + deps.staleAfterMs)
  return { collateral: one.priceE18, borrowed: other.priceE18, time, goodUntil }
}

async function readPrice(
  { prices, now }: { readonly prices: Prices; readonly now: () => Date },
  asset: AssetId,
): Promise<{ readonly priceE18: bigint; readonly time: Date }> {
  if (asset === 'USDT') return { priceE18: E18, time: now() }
  const price = await prices.price(`${asset}USDT`)
  if (!price || price.stale) throw refusal('price_out_of_date')
  return price
}

/**
 * Returns the prices that money may move by.
 *
 * @param prices `undefined` if one was stale when they were read.
 * @throws Refusal `price_out_of_date` also if the prices have grown old since they were read.
 */
export function requireFreshPrices(prices: FreshPrices | undefined, now: Date): FreshPrices {
  if (!prices || now > prices.goodUntil) throw refusal('price_out_of_date')
  return prices
}

import { m } from '../../generated/paraglide/messages.js'
import { formatAmount, formatPercent, significantDecimals } from '../../i18n/format.ts'
import { formatPrice } from '../../i18n/price-text.ts'

/** Figures of pledges and loans for sentences and lists. */

/** An amount with its asset: grouped, cut to six decimals, or below one to six significant digits. */
export function amountWords(amount: string, asset: string): string {
  return `${formatAmount(amount, { decimals: significantDecimals(amount) })} ${asset}`
}

/** A price of a collateral in the borrowed asset. */
export function priceWords(price: string, { collateral, borrow }: { collateral: string; borrow: string }): string {
  return m.stake_price_of({ price: formatPrice(price), coin: borrow, asset: collateral })
}

/** A ratio as a percentage, or that it is not known. */
export function ltvWords(ltv: string | null): string {
  return ltv === null ? m.stake_health_unknown() : formatPercent(ltv)
}

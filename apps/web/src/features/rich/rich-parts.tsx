import { m } from '../../generated/paraglide/messages.js'
import { formatAmount, significantDecimals } from '../../i18n/format.ts'

/** An amount of RT in a sentence: grouped, cut, with its asset. */
export function rtWords(amount: string): string {
  return `${formatAmount(amount, { decimals: significantDecimals(amount) })} RT`
}

/** A star in words. */
export function starWords(star: number): string {
  return star === 0 ? m.rich_star_zero() : m.rich_star({ n: String(star) })
}

import type { PriceState } from '@clearwell/api/market.routes'
import { formatAmount, formatPercent, significantDecimals } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { formatPrice } from '@clearwell/ui/i18n/price-text.ts'
import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import { m } from '../../generated/messages.ts'

/** Figures of pledges and loans for sentences and lists. */

/** An amount with its asset: grouped, cut to six decimals, or below one to six significant digits. */
export function amountWords(amount: string, asset: string): string {
  return `${formatAmount(amount, { decimals: significantDecimals(amount) })} ${asset}`
}

/** As `amountWords`, for what is owed: raised where it is cut. */
export function owedWords(amount: string, asset: string): string {
  return `${formatAmount(amount, { decimals: significantDecimals(amount), raises: true })} ${asset}`
}

/** A price of a collateral in the borrowed asset. */
export function priceWords(price: string, { collateral, borrow }: { collateral: string; borrow: string }): string {
  return m.stake_price_of({ price: formatPrice(price), coin: borrow, asset: collateral })
}

/** When a loan can be liquidated at today's prices: most loans not before they are due. */
export function liquidationTimeWords(liquidationTime: string, repaymentTime: string): string {
  const isAtTerm = Date.parse(liquidationTime) >= Date.parse(repaymentTime)
  return isAtTerm ? m.stake_liquidation_at_term() : formatDateTime(liquidationTime)
}

/** A ratio as a percentage, or that it is not known. */
export function ltvWords(ltv: string | null): string {
  return ltv === null ? m.stake_health_unknown() : formatPercent(ltv)
}

/** Says that a rate floats, and where it moves within hours if that is elsewhere. */
export function rateWords(rate: string, target: string): string {
  const [now, then] = [formatPercent(rate), formatPercent(target)]
  return now === then ? m.stake_rate_floats() : sentences(m.stake_rate_floats(), m.stake_rate_moves({ apr: then }))
}

/** Why money uses a price in part only, or not at all. */
export function priceStateTitle(state: Exclude<PriceState, 'fresh'>): string {
  switch (state) {
    case 'apart':
      return m.stake_price_apart()
    case 'one_source':
      return m.stake_price_one_source()
    case 'stale':
      return m.stake_price_old()
    case 'unknown':
      return m.stake_price_unknown()
  }
}

/** Names the commands that wait for a better price and those that work. Repaying and adding collateral need no price. */
export function priceStateText(state: Exclude<PriceState, 'fresh'>): string {
  return state === 'apart' ? m.stake_price_apart_text() : m.stake_price_waits()
}

export function isSome(amount: string): boolean {
  return /[1-9]/.test(amount)
}

/** While an amount is typed: too little may become enough, so it is no error yet. */
export function leastText(min: string, asset: string): string {
  return m.ui_at_least({ min: amountWords(min, asset) })
}

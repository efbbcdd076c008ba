import { cutDecimals } from '@clearwell/money/decimal'
import { formatAmount } from './format.ts'

const MIN_DECIMALS = 2
const MAX_DECIMALS = 10
/** Digits that a price has at least, from its first that is not zero, where it is small. */
const DIGITS = 5

/** How many decimals the prices of a market have: as many as tell about one in ten thousand apart, and two at least. */
export function priceDecimals(price: string): number {
  const [, whole = '', zeros] = /^0*(\d*)(?:\.(0*)[1-9])?/.exec(price) ?? []
  if (whole) return Math.max(DIGITS - whole.length, MIN_DECIMALS)
  return zeros === undefined ? MIN_DECIMALS : Math.min(zeros.length + DIGITS, MAX_DECIMALS)
}

/** A price with all of its decimals, so that prices under each other stand digit under digit. */
export function formatPrice(price: string, decimals = priceDecimals(price)): string {
  return formatAmount(price, { decimals, fixed: true })
}

/** Prices are in USDT, with all decimals that the server stores. */
export const PRICE_DECIMALS = 18

/** A price that a person typed, with every decimal of it, and two at least. */
export function exactPrice(price: string): string {
  const own = cutDecimals(price, PRICE_DECIMALS).split('.')[1]?.length ?? 0
  return formatPrice(price, Math.max(own, MIN_DECIMALS))
}

/** How many decimals a price is written with beside a price that it reached: those of the market, and all of the other's. */
export function reachedDecimals(price: string): number {
  const own = price.split('.')[1]?.length ?? 0
  return Math.max(priceDecimals(price), own)
}

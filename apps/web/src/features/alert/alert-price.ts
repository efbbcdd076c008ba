import { cutDecimals, formatUnits, parseUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'

/** Prices are told in USDT, and compared with all decimals that the server keeps. */
export const PRICE_DECIMALS = 18

export type Direction = 'above' | 'below'

/** A price some percent beyond the one now, on the side that is waited for; cut at the decimals that prices are shown with. */
export function priceBeyond(now: string, direction: Direction, percent: number, places: number): string {
  const units = parseUnits(now, PRICE_DECIMALS) ?? 0n
  const part = BigInt(direction === 'above' ? 100 + percent : 100 - percent)
  return cutDecimals(formatUnits(mulDiv(units, part, 100n, 'down'), PRICE_DECIMALS), places)
}

/** What keeps a price from being waited for; `undefined` where nothing does. */
export function priceFault(price: string, direction: Direction, now: string): 'empty' | 'reached' | undefined {
  const units = parseUnits(price, PRICE_DECIMALS)
  if (!units) return 'empty'
  const nowUnits = parseUnits(now, PRICE_DECIMALS)
  // Nobody knows here: the server does.
  if (nowUnits === undefined) return undefined
  return (direction === 'above' ? nowUnits >= units : nowUnits <= units) ? 'reached' : undefined
}

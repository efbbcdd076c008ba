import { cutDecimals, formatUnits, parseUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import { PRICE_DECIMALS } from '../../i18n/price-text.ts'

export type Direction = 'above' | 'below'

/** A price some percent beyond the one now, on the side that is waited for; cut at the decimals that prices are shown with. */
export function priceBeyond(now: string, direction: Direction, percent: number, places: number): string {
  const units = parseUnits(now, PRICE_DECIMALS) ?? 0n
  const part = BigInt(direction === 'above' ? 100 + percent : 100 - percent)
  return cutDecimals(formatUnits(mulDiv(units, part, 100n, 'down'), PRICE_DECIMALS), places)
}

/** So many times the price now, or a part of it, is a slip of the finger. */
const FAR_TIMES = 1_000n

/** What keeps a price from being waited for; `undefined` where nothing does. */
export function priceFault(price: string, direction: Direction, now: string): 'empty' | 'reached' | 'far' | undefined {
  const units = parseUnits(price, PRICE_DECIMALS)
  if (!units) return 'empty'
  const nowUnits = parseUnits(now, PRICE_DECIMALS)
  // Nobody knows here: the server does.
  if (nowUnits === undefined) return undefined
  if (direction === 'above' ? nowUnits >= units : nowUnits <= units) return 'reached'
  return units > nowUnits * FAR_TIMES || units * FAR_TIMES < nowUnits ? 'far' : undefined
}

/** What stands in the field; with the percentage that it is beyond the price, unless it was typed. */
export interface PriceEntry {
  readonly text: string
  readonly percent?: number
}

export function entryBeyond(now: string, direction: Direction, percent: number, places: number): PriceEntry {
  return { text: priceBeyond(now, direction, percent, places), percent }
}

/** What stands in the field once the other direction is waited for: as far on that side, but nothing moves what was typed. */
export function entryTurned(entry: PriceEntry, now: string, direction: Direction, places: number): PriceEntry {
  return entry.percent === undefined ? entry : entryBeyond(now, direction, entry.percent, places)
}

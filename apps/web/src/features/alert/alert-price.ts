import { cutDecimals, formatUnits, parseUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import { PRICE_DECIMALS } from '@clearwell/ui/i18n/price-text.ts'

export type Direction = 'above' | 'below'

/** A price some percent away from the current one, in the alert's direction, cut at the decimals that prices are shown with. */
export function priceBeyond(now: string, direction: Direction, percent: number, decimals: number): string {
  const units = parseUnits(now, PRICE_DECIMALS) ?? 0n
  const part = BigInt(direction === 'above' ? 100 + percent : 100 - percent)
  return cutDecimals(formatUnits(mulDiv(units, part, 100n, 'down'), PRICE_DECIMALS), decimals)
}

/** The direction in which the price has to move to reach another one; up where it is there already. */
export function directionTo(at: string, now: string): Direction {
  const [atUnits, nowUnits] = [parseUnits(at, PRICE_DECIMALS), parseUnits(now, PRICE_DECIMALS)]
  return atUnits !== undefined && nowUnits !== undefined && atUnits < nowUnits ? 'below' : 'above'
}

/** A price this many times higher or lower than the current one is a typing error. */
const FAR_TIMES = 1_000n

/** Why no alert can be set at a price; undefined if one can. */
export function priceFault(price: string, direction: Direction, now: string): 'empty' | 'reached' | 'far' | undefined {
  const units = parseUnits(price, PRICE_DECIMALS)
  if (!units) return 'empty'
  const nowUnits = parseUnits(now, PRICE_DECIMALS)
  // No price is known here. The server checks.
  if (nowUnits === undefined) return undefined
  if (direction === 'above' ? nowUnits >= units : nowUnits <= units) return 'reached'
  return units > nowUnits * FAR_TIMES || units * FAR_TIMES < nowUnits ? 'far' : undefined
}

/** The content of the price field; with its percentage from the current price, unless it was typed. */
export interface PriceEntry {
  readonly text: string
  readonly percent?: number
}

export function entryBeyond(now: string, direction: Direction, percent: number, decimals: number): PriceEntry {
  return { text: priceBeyond(now, direction, percent, decimals), percent }
}

/** The field after a change of direction: a chosen percentage moves to the other side, a typed price stays. */
export function entryTurned(entry: PriceEntry, now: string, direction: Direction, decimals: number): PriceEntry {
  return entry.percent === undefined ? entry : entryBeyond(now, direction, entry.percent, decimals)
}

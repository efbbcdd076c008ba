import type { PriceState } from '@clearwell/api/market.routes'
import { parseUnits } from '@clearwell/money/decimal'
import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { type PriceRange, type PriceSides, sidesOf } from '@clearwell/rules/price-sides'

/** The part of a spot ticker that loans use. */
interface Ticker {
  readonly price: string | null
  readonly state: PriceState
  readonly sources: readonly { readonly price: string; readonly stale: boolean }[]
}

/** The prices of both assets of a loan, as far as they are known. */
export interface PairPrice {
  /** The worse state of both assets. */
  readonly state: PriceState
  /** In USDT at 10^18; absent while money has no price. */
  readonly sides?: PriceSides
}

const PRICE_DECIMALS = 18
/** A pair is as good as the worse of its prices. */
const WORST_FIRST: readonly PriceState[] = ['unknown', 'stale', 'one_source', 'apart', 'fresh']

/** The price of USDT: one, in every source and at any time. */
export const USDT_PRICE: Ticker = { price: '1', state: 'fresh', sources: [] }

/** Combines the prices of both assets as the server does: see `sidesOf`. */
export function pairPriceOf(collateral: Ticker, borrowed: Ticker): PairPrice {
  const state = WORST_FIRST.find((each) => each === collateral.state || each === borrowed.state) ?? 'unknown'
  const [one, other] = [rangeOf(collateral), rangeOf(borrowed)]
  if (!one || !other || (state !== 'fresh' && state !== 'apart')) return { state }
  return { state, sides: sidesOf(one, other) }
}

function rangeOf({ price, sources }: Ticker): PriceRange | undefined {
  const meanE18 = parseUnits(price ?? '', PRICE_DECIMALS)
  // A price of zero is none.
  if (!meanE18) return undefined
  const read = sources.flatMap(({ price: each, stale }) => {
    const units = stale ? undefined : parseUnits(each, PRICE_DECIMALS)
    return units === undefined ? [] : [units]
  })
  const first = read[0] ?? meanE18
  return { lowE18: read.reduce(minUnits, first), highE18: read.reduce(maxUnits, first), meanE18 }
}

import type { ResponseOf } from '@clearwell/api/routes'
import { ASSET_DECIMALS, type AssetId } from '@clearwell/money/asset'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import { leastLimitOutput, limitTriggerE18, worthAtPrice } from '@clearwell/rules/plans'
import { type PoolReserves, quoteExactIn, type SwapFees } from '@clearwell/rules/swap'
import { typedUnits } from '@clearwell/ui/components/amount-input.ts'
import type { Config } from '../../api/config.ts'

/** The trade of a plan: its pair and side, and the prices that it gets. Prices are USDT for one base asset. */

export type Pair = ResponseOf<'pairs'>[number]

const E18 = 10n ** 18n
const BPS = 10_000n
const PRICE_DECIMALS = 18

export interface Trade {
  readonly pair: Pair
  /** Sells the second asset of the pair. */
  readonly inverse: boolean
}

export function soldAsset({ pair, inverse }: Trade): AssetId {
  return inverse ? pair.quote : pair.base
}

export function boughtAsset({ pair, inverse }: Trade): AssetId {
  return inverse ? pair.base : pair.quote
}

/** The fees of the configuration, which writes them as fractions, in basis points. */
export function feesOf({ fees }: Config): SwapFees {
  const bps = (fraction: string) => mulDiv(parseUnits(fraction, 18) ?? 0n, BPS, E18, 'up')
  return { totalBps: bps(fees.swap_total), revenueBps: bps(fees.swap_revenue) }
}

/** An amount that is typed, in base units of the sold asset; `undefined` while there is none. */
export function amountUnits(text: string, trade: Trade): bigint | undefined {
  const units = typedUnits(text, ASSET_DECIMALS[soldAsset(trade)])
  return units === 0n ? undefined : units
}

/**
 * The price that the pool gives for an amount now, after fee and price impact, rounded against the user. `undefined` where
 * the pool cannot do it.
 */
export function priceNow(trade: Trade, fees: SwapFees, amountIn: bigint): string | undefined {
  const { inverse } = trade
  const direction = inverse ? 'quote_to_base' : 'base_to_quote'
  const quote = quoteExactIn({ reserves: reservesOf(trade), direction, fees, amountIn })
  if (!quote || quote.amountOut === 0n) return undefined
  const [base, money] = inverse ? [quote.amountOut, quote.amountIn] : [quote.amountIn, quote.amountOut]
  // Both assets have 18 decimals, and so has the price.
  return formatUnits(mulDiv(money, E18, base, inverse ? 'up' : 'down'), PRICE_DECIMALS)
}

/** The least that a limit receives at its price, as plain decimal text. */
export function leastReceived(trade: Trade, amountIn: bigint, price: string): string {
  const units = leastLimitOutput({ amountIn, priceE18: priceE18(price), inverse: trade.inverse })
  return formatUnits(units, ASSET_DECIMALS[boughtAsset(trade)])
}

/** The pool's price from which on a limit can be made whole; `undefined` where the pool is too small for it. */
export function triggerPrice(trade: Trade, fees: SwapFees, amountIn: bigint, price: string): string | undefined {
  const { inverse } = trade
  const leastOut = leastLimitOutput({ amountIn, priceE18: priceE18(price), inverse })
  const triggerE18 = limitTriggerE18({ amountIn, leastOut, inverse, reserves: reservesOf(trade), fees })
  return triggerE18 === undefined ? undefined : formatUnits(triggerE18, PRICE_DECIMALS)
}

/** The USDT side of a run in base units: the amount itself, or its worth at a price. */
export function usdtSide(trade: Trade, amountIn: bigint, price: string): bigint {
  return trade.inverse ? amountIn : worthAtPrice({ amountIn, priceE18: priceE18(price), inverse: false })
}

function reservesOf({ pair }: Trade): PoolReserves {
  const units = (text: string, asset: AssetId) => parseUnits(text, ASSET_DECIMALS[asset]) ?? 0n
  return { base: units(pair.reserve_base, pair.base), quote: units(pair.reserve_quote, pair.quote) }
}

function priceE18(price: string): bigint {
  return parseUnits(price, PRICE_DECIMALS) ?? 0n
}

/** Returns whether the pool already gives a price or a better one. */
export function isReached({ inverse }: Trade, price: string, now: string): boolean {
  return inverse ? priceE18(now) <= priceE18(price) : priceE18(now) >= priceE18(price)
}

/** A price as typed so far; `undefined` while there is none. */
export function typedPrice(text: string): string | undefined {
  const units = typedUnits(text, PRICE_DECIMALS)
  return units === undefined || units === 0n ? undefined : formatUnits(units, PRICE_DECIMALS)
}

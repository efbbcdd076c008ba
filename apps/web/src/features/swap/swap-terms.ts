import type { Answer } from '@clearwell/api/routes'
import { ASSET_DECIMALS, type AssetId } from '@clearwell/money/asset'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import {
  minAmountOut,
  type PoolReserves,
  quoteExactIn,
  quoteExactOut,
  type SwapDirection,
  type SwapFees,
} from '@clearwell/rules/swap'

export type Pair = Answer<'pairs'>[number]

const E18 = 10n ** 18n
const BPS = 10_000n
/** From here on the impact is warned of, and from there on it needs a second confirmation. */
const IMPACT_WARNED_E18 = (E18 * 3n) / 100n
const IMPACT_CONFIRMED_E18 = (E18 * 10n) / 100n

/** Which way a pair is traded: `inverse` sells its second asset. */
export interface Trade {
  readonly pair: Pair
  readonly inverse: boolean
  readonly fees: SwapFees
}

/** What a trade would give: from the server, or worked out here from the pool as it was last seen. */
export interface Quote {
  readonly amountOut: bigint
  /** At the mid price, without fee and impact. */
  readonly amountOutAtMid: bigint
  readonly priceImpactE18: bigint
  readonly fee: bigint
}

/** Everything that a confirmation says, in base units. */
export interface SwapTerms extends Quote {
  readonly sold: AssetId
  readonly bought: AssetId
  readonly amountIn: bigint
  /** The least that is accepted: below it the swap does not happen. */
  readonly minOut: bigint
  readonly slippageBps: bigint
  readonly feeToPool: bigint
  readonly feeToRevenue: bigint
}

export type ImpactLevel = 'low' | 'warned' | 'confirmed_twice'

export function soldAsset({ pair, inverse }: Pick<Trade, 'pair' | 'inverse'>): AssetId {
  return inverse ? pair.quote : pair.base
}

export function boughtAsset({ pair, inverse }: Pick<Trade, 'pair' | 'inverse'>): AssetId {
  return inverse ? pair.base : pair.quote
}

/** The fees of the configuration, which writes them as fractions (`0.0025`), in basis points. */
export function feesOf({ swap_total, swap_revenue }: { swap_total: string; swap_revenue: string }): SwapFees {
  const bps = (fraction: string) => mulDiv(parseUnits(fraction, 18) ?? 0n, BPS, E18, 'up')
  return { totalBps: bps(swap_total), revenueBps: bps(swap_revenue) }
}

/** What was typed so far as base units; a point with nothing behind it yet counts as none. */
export function typedUnits(text: string, asset: AssetId): bigint | undefined {
  return parseUnits(text.replace(/\.$/, ''), ASSET_DECIMALS[asset])
}

/** What the pool, as last seen, would give for `amountIn`; `undefined` where that is nothing. */
export function previewQuote(trade: Trade, amountIn: bigint): Quote | undefined {
  return quoteExactIn({ reserves: reservesOf(trade.pair), direction: directionOf(trade), amountIn, fees: trade.fees })
}

/** What must be sold to buy at least `amountOut`; `undefined` where the pool does not hold so much. */
export function amountInFor(trade: Trade, amountOut: bigint): bigint | undefined {
  const quote = { reserves: reservesOf(trade.pair), direction: directionOf(trade), amountOut, fees: trade.fees }
  return quoteExactOut(quote)?.amountIn
}

/** The server's quote in base units. */
export function quoteOf(answer: Answer<'getQuote'>, sold: AssetId, bought: AssetId): Quote {
  return {
    amountOut: exactUnits(answer.amount_out, bought),
    amountOutAtMid: exactUnits(answer.amount_out_orginal, bought),
    priceImpactE18: parseUnits(answer.price_impact, 18) ?? 0n,
    fee: exactUnits(answer.fee, sold),
  }
}

export function termsOf(trade: Trade, amountIn: bigint, quote: Quote, slippageBps: bigint): SwapTerms {
  // Down, as the ledger does: the fraction of a unit stays in the pool.
  const feeToRevenue = mulDiv(amountIn, trade.fees.revenueBps, BPS, 'down')
  return {
    ...quote,
    sold: soldAsset(trade),
    bought: boughtAsset(trade),
    amountIn,
    minOut: minAmountOut(quote.amountOut, slippageBps),
    slippageBps,
    feeToRevenue,
    feeToPool: quote.fee - feeToRevenue,
  }
}

/**
 * The same terms at a new figure, after the price moved. What moved counts as impact against the mid price that was
 * agreed to first, so a fall is never taken for a small impact.
 */
export function termsAt(terms: SwapTerms, amountOut: bigint): SwapTerms {
  const netAtMid = mulDiv(terms.amountOutAtMid, terms.amountIn - terms.fee, terms.amountIn, 'down')
  const lost = netAtMid > amountOut ? netAtMid - amountOut : 0n
  const priceImpactE18 = netAtMid === 0n ? E18 : mulDiv(lost, E18, netAtMid, 'up')
  return { ...terms, amountOut, minOut: minAmountOut(amountOut, terms.slippageBps), priceImpactE18 }
}

export function impactLevel(priceImpactE18: bigint): ImpactLevel {
  if (priceImpactE18 >= IMPACT_CONFIRMED_E18) return 'confirmed_twice'
  return priceImpactE18 >= IMPACT_WARNED_E18 ? 'warned' : 'low'
}

/** What stands between a form and its confirmation. */
export type SwapObstacle =
  | 'suspended'
  | 'no_amount'
  | 'balance_not_enough'
  | 'rt_balance_not_enough'
  | 'exceeds_pool'
  | 'too_small'

/** The first obstacle, if there is one. `balance` is absent while it is not known: then the server decides. */
export function obstacleOf(form: {
  readonly pair: Pair
  readonly sold: AssetId
  /** What was typed on either side. */
  readonly typed: bigint | undefined
  /** What would be sold; absent where what is to be bought is more than the pool holds. */
  readonly amountIn: bigint | undefined
  readonly balance: bigint | undefined
  readonly gives: bigint | undefined
}): SwapObstacle | undefined {
  const { pair, sold, typed, amountIn, balance, gives } = form
  if (pair.suspended) return 'suspended'
  if (typed === undefined || typed === 0n) return 'no_amount'
  if (amountIn === undefined) return 'exceeds_pool'
  if (balance !== undefined && amountIn > balance) return sold === 'RT' ? 'rt_balance_not_enough' : 'balance_not_enough'
  if (gives === undefined || gives === 0n) return 'too_small'
  return undefined
}

/**
 * Plain decimal text at `places` decimals at most. `nearest` (half up) is for the preview of one unit (specification
 * §5), `up` for what is to be paid, which is never shown smaller than it is, `down` for what is to be received.
 */
export function roundDecimals(text: string, places: number, rounding: 'nearest' | 'up' | 'down'): string {
  const units = parseUnits(text, 18)
  if (units === undefined) return text
  const step = 10n ** BigInt(18 - places)
  const added = { nearest: step / 2n, up: step - 1n, down: 0n }[rounding]
  return formatUnits(((units + added) / step) * step, 18)
}

/** Nine digits before and behind the point, two decimals at least: what fits into a field on a small phone. */
export function readable(text: string, rounding: 'up' | 'down'): string {
  const wholeDigits = text.split('.')[0]?.length ?? 1
  return roundDecimals(text, Math.max(2, 9 - wholeDigits), rounding)
}

/** Base units as plain decimal text. */
export function textOf(units: bigint, asset: AssetId): string {
  return formatUnits(units, ASSET_DECIMALS[asset])
}

/** Amounts in an answer are plain decimals of their asset; anything else is a bug on the way. */
function exactUnits(text: string, asset: AssetId): bigint {
  const units = parseUnits(text, ASSET_DECIMALS[asset])
  if (units === undefined) throw new TypeError(`the server's ${JSON.stringify(text)} is not an amount of ${asset}`)
  return units
}

function reservesOf(pair: Pair): PoolReserves {
  return { base: exactUnits(pair.reserve_base, pair.base), quote: exactUnits(pair.reserve_quote, pair.quote) }
}

function directionOf({ inverse }: Pick<Trade, 'inverse'>): SwapDirection {
  return inverse ? 'quote_to_base' : 'base_to_quote'
}

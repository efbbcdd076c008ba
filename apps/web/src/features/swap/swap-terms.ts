import type { PayloadInput, ResponseOf } from '@clearwell/api/routes'
import { ASSET_DECIMALS, type AssetId } from '@clearwell/money/asset'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import {
  maxAmountIn,
  minAmountOut,
  type PoolReserves,
  quoteExactIn,
  quoteExactOut,
  type SwapDirection,
  type SwapFees,
  slippageE18,
} from '@clearwell/rules/swap'
import type { CommandFacts } from '../../api/command-facts.ts'
import type { KnownData } from '../../api/refusal-data.ts'
import { exactUnits, textOf } from './swap-figures.ts'

export type Pair = ResponseOf<'pairs'>[number]
/** The exact amount: the sold one (`in`) or the bought one (`out`). */
export type ExactSide = 'in' | 'out'

const E18 = 10n ** 18n
const BPS = 10_000n
/** From the first loss on the user is warned, from the second on a second confirmation is needed. */
const LOSS_WARNED_E18 = E18 / 100n
const LOSS_CONFIRMED_E18 = (E18 * 3n) / 100n

/** The direction in which a pair is traded: `inverse` sells its second asset. */
export interface Trade {
  readonly pair: Pair
  readonly inverse: boolean
  readonly fees: SwapFees
  /** The fresh spot price of the pair as plain decimal text; absent where the pair has none. */
  readonly spot?: string | undefined
}

/** The two amounts of a swap, in base units. */
export interface Amounts {
  readonly amountIn: bigint
  readonly amountOut: bigint
}

/** The result of a trade: from the server, or previewed here from the pool as it was last seen. */
export interface Quote extends Amounts {
  /** At the mid price, without fee and impact. */
  readonly amountOutAtMid: bigint
  readonly priceImpactE18: bigint
  readonly fee: bigint
}

/** All figures of a confirmation, in base units. */
export interface SwapTerms extends Quote {
  readonly exact: ExactSide
  /** The typed amount, exact to the last unit: sold where `exact` is `in`, bought where it is `out`. */
  readonly amount: bigint
  readonly sold: AssetId
  readonly bought: AssetId
  /** The minimum to receive, or the maximum to sell. Past this limit the swap does not happen. */
  readonly limit: bigint
  readonly slippageBps: bigint
  readonly feeToPool: bigint
  readonly feeToRevenue: bigint
  /** The part that is lost against the spot price, with fee and impact; below zero for a gain. Absent without a spot price. */
  readonly spotLossE18: bigint | undefined
}

/** How much a swap loses: nothing to mention, a warning, or so much that it is confirmed twice. */
export type LossLevel = 'low' | 'warned' | 'confirmed_twice'

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

/** The quote of the pool as it was last seen; `undefined` where too little is sold or too much is bought. */
export function previewQuote(trade: Trade, { exact, amount }: { exact: ExactSide; amount: bigint }): Quote | undefined {
  const at = { reserves: reservesOf(trade.pair), direction: directionOf(trade), fees: trade.fees }
  return exact === 'in' ? quoteExactIn({ ...at, amountIn: amount }) : quoteExactOut({ ...at, amountOut: amount })
}

type QuoteAmounts = Pick<
  ResponseOf<'getQuote'>,
  'amount_in' | 'amount_out' | 'amount_out_orginal' | 'price_impact' | 'fee'
>

/** The server's quote in base units. */
export function quoteOf(response: QuoteAmounts, sold: AssetId, bought: AssetId): Quote {
  return {
    amountIn: exactUnits(response.amount_in, sold),
    amountOut: exactUnits(response.amount_out, bought),
    amountOutAtMid: exactUnits(response.amount_out_orginal, bought),
    priceImpactE18: parseUnits(response.price_impact, 18) ?? 0n,
    fee: exactUnits(response.fee, sold),
  }
}

export function termsOf(
  trade: Trade,
  quote: Quote,
  { exact, amount, slippageBps }: Pick<SwapTerms, 'exact' | 'amount' | 'slippageBps'>,
): SwapTerms {
  // Down, as the ledger does: the fraction of a unit stays in the pool.
  const feeToRevenue = mulDiv(quote.amountIn, trade.fees.revenueBps, BPS, 'down')
  return {
    ...quote,
    exact,
    amount,
    sold: soldAsset(trade),
    bought: boughtAsset(trade),
    limit: limitOf(quote, exact, slippageBps),
    slippageBps,
    feeToRevenue,
    feeToPool: quote.fee - feeToRevenue,
    spotLossE18: spotLossOf(trade, quote),
  }
}

/**
 * The same terms with new amounts, after the price moved. The move counts as impact against the mid price of the first
 * quote, so that a fall never looks like a small impact.
 */
export function termsAt(trade: Trade, terms: SwapTerms, moved: Amounts): SwapTerms {
  const { amountIn, amountOut } = moved
  const fee = mulDiv(amountIn, trade.fees.totalBps, BPS, 'up')
  const amountOutAtMid = mulDiv(amountIn, terms.amountOutAtMid, terms.amountIn, 'down')
  const netAtMid = mulDiv(amountOutAtMid, amountIn - fee, amountIn, 'down')
  const lost = netAtMid > amountOut ? netAtMid - amountOut : 0n
  const priceImpactE18 = netAtMid === 0n ? E18 : mulDiv(lost, E18, netAtMid, 'up')
  return termsOf(trade, { amountIn, amountOut, amountOutAtMid, priceImpactE18, fee }, terms)
}

/** A confirmed swap with the quote that was confirmed, in base units. Plain data, so that it survives a reload. */
export type ConfirmedSwap = CommandFacts['doSwap'] & {
  readonly exact: ExactSide
  readonly payload: PayloadInput<'doSwap'>
}

export function confirmedSwapOf(
  { sold, bought, exact, amountIn, amountOut }: SwapTerms,
  payload: PayloadInput<'doSwap'>,
): ConfirmedSwap {
  return { sold, bought, exact, quotedIn: String(amountIn), quotedOut: String(amountOut), payload }
}

/** `true` if amounts are past the limit, so that the server would refuse them. */
export function isPastLimit({ exact, limit }: Pick<SwapTerms, 'exact' | 'limit'>, now: Amounts): boolean {
  return exact === 'in' ? now.amountOut < limit : now.amountIn > limit
}

/** The payload of `doSwap`, which allows only these terms. */
export function swapPayload(trade: Trade, terms: SwapTerms, deadline: string): PayloadInput<'doSwap'> {
  const { sold, bought, exact, amount, limit } = terms
  const inverse = trade.inverse ? 1 : 0
  if (exact === 'in')
    return {
      pool_id: trade.pair.id,
      amount: textOf(amount, sold),
      inverse,
      min_amount_out: textOf(limit, bought),
      deadline,
    }
  return {
    pool_id: trade.pair.id,
    amount: textOf(amount, bought),
    inverse,
    exact,
    max_amount_in: textOf(limit, sold),
    deadline,
  }
}

/** The amounts at which the server would swap now, from its refusal; `undefined` where it names none. */
export function movedAmounts(terms: SwapTerms, moved: KnownData<'price_moved'>): Amounts | undefined {
  const named = terms.exact === 'in' ? moved.amount_out : moved.amount_in
  if (named === undefined) return undefined
  const units = parseUnits(named, ASSET_DECIMALS[terms.exact === 'in' ? terms.bought : terms.sold])
  if (units === undefined) return undefined
  return terms.exact === 'in'
    ? { amountIn: terms.amountIn, amountOut: units }
    : { amountIn: units, amountOut: terms.amountOut }
}

/** Compares a swap with its quote: the difference as a fraction of the calculated amount. */
export function executionOf(
  exact: ExactSide,
  { quoted, done }: { quoted: Amounts; done: Amounts },
): { was: 'better' | 'worse' | 'same'; fraction: string } {
  const side = exact === 'in' ? 'amountOut' : 'amountIn'
  const gainE18 = slippageE18({ exact, quoted: quoted[side], executed: done[side] })
  if (gainE18 === 0n) return { was: 'same', fraction: '0' }
  return gainE18 > 0n
    ? { was: 'better', fraction: formatUnits(gainE18, 18) }
    : { was: 'worse', fraction: formatUnits(-gainE18, 18) }
}

export function lossLevel(lossE18: bigint): LossLevel {
  if (lossE18 >= LOSS_CONFIRMED_E18) return 'confirmed_twice'
  return lossE18 >= LOSS_WARNED_E18 ? 'warned' : 'low'
}

/** The larger loss of a swap: by its own price impact, or against the spot price. */
export function worstLoss({ priceImpactE18, spotLossE18 = 0n }: SwapTerms): {
  readonly by: 'impact' | 'spot'
  readonly lossE18: bigint
  readonly level: LossLevel
} {
  // The impact is the user's to change, so it is named where both are of one level.
  const isSpotWorse = LEVELS.indexOf(lossLevel(spotLossE18)) > LEVELS.indexOf(lossLevel(priceImpactE18))
  const lossE18 = isSpotWorse ? spotLossE18 : priceImpactE18
  return { by: isSpotWorse ? 'spot' : 'impact', lossE18, level: lossLevel(lossE18) }
}

const LEVELS: readonly LossLevel[] = ['low', 'warned', 'confirmed_twice']

/** The part of the amount at the spot price that a swap does not give: loss rounded up, gain rounded down. */
function spotLossOf(trade: Trade, { amountIn, amountOut }: Amounts): bigint | undefined {
  const { pair, inverse, spot } = trade
  const priceE18 = spot === undefined ? 0n : (parseUnits(spot, 18) ?? 0n)
  if (priceE18 === 0n || amountIn === 0n) return undefined
  const [base, quote] = [10n ** BigInt(ASSET_DECIMALS[pair.base]), 10n ** BigInt(ASSET_DECIMALS[pair.quote])]
  const atSpot = inverse
    ? mulDiv(amountIn * E18, base, priceE18 * quote, 'up')
    : mulDiv(amountIn * priceE18, quote, E18 * base, 'up')
  if (atSpot >= amountOut) return mulDiv(atSpot - amountOut, E18, atSpot, 'up')
  return -mulDiv(amountOut - atSpot, E18, atSpot, 'down')
}

function limitOf({ amountIn, amountOut }: Amounts, exact: ExactSide, slippageBps: bigint): bigint {
  return exact === 'in' ? minAmountOut(amountOut, slippageBps) : maxAmountIn(amountIn, slippageBps)
}

function reservesOf(pair: Pair): PoolReserves {
  return { base: exactUnits(pair.reserve_base, pair.base), quote: exactUnits(pair.reserve_quote, pair.quote) }
}

function directionOf({ inverse }: Pick<Trade, 'inverse'>): SwapDirection {
  return inverse ? 'quote_to_base' : 'base_to_quote'
}

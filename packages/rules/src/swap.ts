import { mulDiv } from '@clearwell/money/mul-div'
import { BPS, E18 } from '@clearwell/money/scale'

/** Reserves of a constant-product pool, in base units of its two assets. */
export interface PoolReserves {
  readonly base: bigint
  readonly quote: bigint
}

/** `base_to_quote` sells the pair's first asset (`inverse` 0 of the API), `quote_to_base` its second (`inverse` 1). */
export type SwapDirection = 'base_to_quote' | 'quote_to_base'

/** A swap's fee in basis points of the amount sold: the whole fee, and the part that leaves the pool as revenue. */
export interface SwapFees {
  readonly totalBps: bigint
  readonly revenueBps: bigint
}

/** One trade, exact to the unit. `amountIn` is in base units of the asset sold, `amountOut` of the asset bought. */
export interface SwapQuote {
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** Amount that `amountIn` would buy at the mid price, without fee and impact. Rounded down. */
  readonly amountOutAtMid: bigint
  /** The whole fee in the asset sold, for display. Rounded up, so it never appears smaller than it is. */
  readonly fee: bigint
  /** The part of the fee that leaves the pool, in the asset sold. Rounded down: the dust stays in the pool. */
  readonly revenue: bigint
  readonly reservesAfter: PoolReserves
  /**
   * Loss against the mid price without the fee, as a fraction: 10^18 is the whole amount. Rounded up, and the dust that
   * `amountOut` loses counts as impact, so that a warning is never missed.
   */
  readonly priceImpactE18: bigint
}

/**
 * Quotes selling exactly `amountIn`.
 *
 * Formula: PancakeSwap v2, `PancakeLibrary.getAmountOut`, with the fee as an argument:
 * `in' = amountIn × (10000 - totalBps)`, `amountOut = in' × reserveOut ÷ (reserveIn × 10000 + in')`.
 *
 * Rounding: `amountOut` down, for the pool. The pool receives `amountIn - revenue`.
 *
 * @returns `undefined` if nothing can be traded: an empty side of the pool, or an amount too small to buy one unit.
 * @throws RangeError if an amount or reserve is negative, or if fees are not 0 ≤ revenueBps ≤ totalBps < 10000.
 */
export function quoteExactIn(swap: {
  readonly reserves: PoolReserves
  readonly direction: SwapDirection
  readonly amountIn: bigint
  readonly fees: SwapFees
}): SwapQuote | undefined {
  const { reserves, direction, amountIn, fees } = swap
  assertValidSwap(reserves, amountIn, fees)
  const [reserveIn, reserveOut] = toSides(reserves, direction)
  if (reserveIn === 0n) return undefined

  const netBps = BPS - fees.totalBps
  const netIn = amountIn * netBps
  // Down: the pool must never owe a fraction of a unit that it lacks.
  const amountOut = mulDiv(netIn, reserveOut, reserveIn * BPS + netIn, 'down')
  // Also where the pool has nothing to give.
  if (amountOut === 0n) return undefined

  // Down: a fraction of a unit of revenue stays in the pool.
  const revenue = mulDiv(amountIn, fees.revenueBps, BPS, 'down')
  const amountOutNetOfFeeAtMid = netIn * reserveOut
  return {
    amountIn,
    amountOut,
    amountOutAtMid: mulDiv(amountIn, reserveOut, reserveIn, 'down'),
    fee: mulDiv(amountIn, fees.totalBps, BPS, 'up'),
    revenue,
    reservesAfter: fromSides(reserveIn + amountIn - revenue, reserveOut - amountOut, direction),
    // 1 - amountOut ÷ (netIn ÷ 10000 × reserveOut ÷ reserveIn), over one denominator so that it is rounded once.
    priceImpactE18: mulDiv(amountOutNetOfFeeAtMid - amountOut * reserveIn * BPS, E18, amountOutNetOfFeeAtMid, 'up'),
  }
}

/**
 * Quotes the cheapest sale that buys at least `amountOut`.
 *
 * Formula: the inverse of {@link quoteExactIn}, `amountIn = reserveIn × amountOut × 10000 ÷ ((reserveOut - amountOut) ×
 * (10000 - totalBps))`, rounded up. PancakeSwap's `getAmountIn` truncates and always adds one, so it charges one unit more
 * if the division has no remainder.
 *
 * Returns the quote for selling that amount. Its `amountOut` may exceed the requested one if one unit sold is worth more
 * than one unit bought; one unit less would not be enough.
 *
 * @returns `undefined` if nothing can be traded: an empty side of the pool, or an `amountOut` that is zero or not less than
 * the reserve.
 * @throws RangeError like {@link quoteExactIn}.
 */
export function quoteExactOut(swap: {
  readonly reserves: PoolReserves
  readonly direction: SwapDirection
  readonly amountOut: bigint
  readonly fees: SwapFees
}): SwapQuote | undefined {
  const { reserves, direction, amountOut, fees } = swap
  assertValidSwap(reserves, amountOut, fees)
  const [reserveIn, reserveOut] = toSides(reserves, direction)
  if (amountOut >= reserveOut) return undefined
  // Up: selling less would not buy `amountOut`.
  const amountIn = mulDiv(reserveIn * amountOut, BPS, (reserveOut - amountOut) * (BPS - fees.totalBps), 'up')
  return quoteExactIn({ reserves, direction, amountIn, fees })
}

/**
 * Computes the least that a caller accepts for a quoted `amountOut`: `amountOut × (10000 - slippageBps) ÷ 10000`.
 *
 * Rounded up: the limit protects the caller, so it is never looser than the agreed slippage. It is never above `amountOut`.
 *
 * @param slippageBps 0 to 10000; 50 is half a percent.
 * @throws RangeError if the slippage is out of range or the amount is negative.
 */
export function minAmountOut(amountOut: bigint, slippageBps: bigint): bigint {
  if (slippageBps < 0n || slippageBps > BPS) throw new RangeError('minAmountOut: slippageBps must be 0 to 10000')
  return mulDiv(amountOut, BPS - slippageBps, BPS, 'up')
}

/**
 * Computes the most that a caller sells for a quoted `amountIn`: `amountIn × (10000 + slippageBps) ÷ 10000`.
 *
 * Formula: Uniswap v2 SDK, `Trade.maximumAmountIn`. Rounded down: the limit protects the caller, so it is never looser
 * than the agreed slippage. It is never below `amountIn`.
 *
 * @param slippageBps 0 to 10000; 50 is half a percent.
 * @throws RangeError if the slippage is out of range or the amount is negative.
 */
export function maxAmountIn(amountIn: bigint, slippageBps: bigint): bigint {
  if (slippageBps < 0n || slippageBps > BPS) throw new RangeError('maxAmountIn: slippageBps must be 0 to 10000')
  return mulDiv(amountIn, BPS + slippageBps, BPS, 'down')
}

/**
 * Compares the executed amount with the quote, as a signed fraction of the quote: 10^18 is the whole quote. Positive is
 * better for the trader, negative is worse.
 *
 * `exact` names the fixed amount. `quoted` and `executed` are the other amount: with `in`, more bought is better; with
 * `out`, less sold is better.
 *
 * Rounded down, also below zero, so the result never appears better than it was.
 *
 * @throws RangeError if the quote is zero or an amount is negative.
 */
export function slippageE18(swap: {
  readonly exact: 'in' | 'out'
  readonly quoted: bigint
  readonly executed: bigint
}): bigint {
  const { exact, quoted, executed } = swap
  if (quoted <= 0n || executed < 0n)
    throw new RangeError('slippageE18: amounts must not be negative, nor the quote zero')
  const gain = exact === 'in' ? executed - quoted : quoted - executed
  return gain >= 0n ? mulDiv(gain, E18, quoted, 'down') : -mulDiv(-gain, E18, quoted, 'up')
}

/**
 * Computes base units of the quote asset for one base unit of the base asset, as 18-decimal fixed point:
 * `quote × 10^18 ÷ base`, rounded down. If both assets have 18 decimals, like all of Clearwell's, it is also the displayed
 * price.
 *
 * @returns `undefined` if either side of the pool is empty.
 * @throws RangeError if a reserve is negative.
 */
export function midPriceE18(reserves: PoolReserves): bigint | undefined {
  if (reserves.base < 0n || reserves.quote < 0n) throw new RangeError('midPriceE18: reserves must not be negative')
  if (reserves.base === 0n || reserves.quote === 0n) return undefined
  return mulDiv(reserves.quote, E18, reserves.base, 'down')
}

function toSides(reserves: PoolReserves, direction: SwapDirection): [reserveIn: bigint, reserveOut: bigint] {
  return direction === 'base_to_quote' ? [reserves.base, reserves.quote] : [reserves.quote, reserves.base]
}

function fromSides(reserveIn: bigint, reserveOut: bigint, direction: SwapDirection): PoolReserves {
  return direction === 'base_to_quote' ? { base: reserveIn, quote: reserveOut } : { base: reserveOut, quote: reserveIn }
}

function assertValidSwap(reserves: PoolReserves, amount: bigint, fees: SwapFees): void {
  if (reserves.base < 0n || reserves.quote < 0n) throw new RangeError('swap: reserves must not be negative')
  if (amount < 0n) throw new RangeError('swap: the amount must not be negative')
  if (fees.revenueBps < 0n || fees.revenueBps > fees.totalBps || fees.totalBps >= BPS) {
    throw new RangeError('swap: fees must be 0 ≤ revenueBps ≤ totalBps < 10000')
  }
}

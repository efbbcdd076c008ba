import { mulDiv } from '@clearwell/money/mul-div'

/** What a constant-product pool holds, in base units of its two assets. */
export interface PoolReserves {
  readonly base: bigint
  readonly quote: bigint
}

/** `base_to_quote` sells the pair's first asset (`inverse` 0 of the API), `quote_to_base` its second (`inverse` 1). */
export type SwapDirection = 'base_to_quote' | 'quote_to_base'

/** A swap's fee in basis points of what is sold: all of it, and the part of it that leaves the pool as revenue. */
export interface SwapFees {
  readonly totalBps: bigint
  readonly revenueBps: bigint
}

/** One trade worked out to the last unit. What is sold is in base units of the asset sold, what is bought of the asset bought. */
export interface SwapQuote {
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** What `amountIn` would buy at the mid price, without fee and impact. Rounded down. */
  readonly amountOutAtMid: bigint
  /** The whole fee in the asset sold, for showing. Rounded up: it is never shown smaller than it is. */
  readonly fee: bigint
  /** The part of the fee that leaves the pool, in the asset sold. Rounded down: the dust stays in the pool. */
  readonly revenue: bigint
  readonly reservesAfter: PoolReserves
  /**
   * How much worse than the mid price the trade is, the fee aside: 10^18 is all of it. Rounded up, and the dust that
   * `amountOut` loses counts as impact, so that a warning is never missed.
   */
  readonly priceImpactE18: bigint
}

const BPS = 10_000n
const E18 = 1_000_000_000_000_000_000n

/**
 * Quotes selling exactly `amountIn`.
 *
 * Formula: PancakeSwap v2, `PancakeLibrary.getAmountOut`, with the fee as an argument:
 * `in' = amountIn × (10000 - totalBps)`, `amountOut = in' × reserveOut ÷ (reserveIn × 10000 + in')`.
 *
 * Rounding: `amountOut` down, for the pool. The pool receives `amountIn - revenue`.
 *
 * @returns `undefined` where there is nothing to trade: an empty side of the pool, or an amount too small to buy one unit.
 * @throws RangeError on a negative amount or reserve, or on fees that are not 0 ≤ revenueBps ≤ totalBps < 10000.
 */
export function quoteExactIn(swap: {
  readonly reserves: PoolReserves
  readonly direction: SwapDirection
  readonly amountIn: bigint
  readonly fees: SwapFees
}): SwapQuote | undefined {
  const { reserves, direction, amountIn, fees } = swap
  refuseNonsense(reserves, amountIn, fees)
  const [reserveIn, reserveOut] = sides(reserves, direction)
  if (reserveIn === 0n || reserveOut === 0n) return undefined

  const netBps = BPS - fees.totalBps
  const netIn = amountIn * netBps
  // Down: the pool must never owe a fraction of a unit that it lacks.
  const amountOut = mulDiv(netIn, reserveOut, reserveIn * BPS + netIn, 'down')
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
 * (10000 - totalBps))`, rounded up. PancakeSwap's `getAmountIn` cuts and always adds one, so it asks one unit more where
 * the division leaves nothing.
 *
 * The answer is the quote of selling that amount, so its `amountOut` may be above what was asked where one unit sold is
 * worth more than one bought; one unit less would not be enough.
 *
 * @returns `undefined` where there is nothing to trade: an empty side of the pool, or an `amountOut` that is zero or not
 * less than the pool holds.
 * @throws RangeError as {@link quoteExactIn} does.
 */
export function quoteExactOut(swap: {
  readonly reserves: PoolReserves
  readonly direction: SwapDirection
  readonly amountOut: bigint
  readonly fees: SwapFees
}): SwapQuote | undefined {
  const { reserves, direction, amountOut, fees } = swap
  refuseNonsense(reserves, amountOut, fees)
  const [reserveIn, reserveOut] = sides(reserves, direction)
  if (amountOut === 0n || amountOut >= reserveOut) return undefined
  // Up: selling less would not buy what was asked.
  const amountIn = mulDiv(reserveIn * amountOut, BPS, (reserveOut - amountOut) * (BPS - fees.totalBps), 'up')
  return quoteExactIn({ reserves, direction, amountIn, fees })
}

/**
 * The least that a caller accepts for a quoted `amountOut`: `amountOut × (10000 - slippageBps) ÷ 10000`.
 *
 * Rounded up: the limit protects the caller, so it is never looser than the share that was agreed to. It is never above
 * `amountOut`.
 *
 * @param slippageBps 0 to 10000; 50 is half a percent.
 * @throws RangeError on a slippage outside of that or a negative amount.
 */
export function minAmountOut(amountOut: bigint, slippageBps: bigint): bigint {
  if (slippageBps < 0n || slippageBps > BPS) throw new RangeError('minAmountOut: slippageBps must be 0 to 10000')
  return mulDiv(amountOut, BPS - slippageBps, BPS, 'up')
}

/**
 * The most that a caller sells for a quoted `amountIn`: `amountIn × (10000 + slippageBps) ÷ 10000`.
 *
 * Formula: Uniswap v2 SDK, `Trade.maximumAmountIn`. Rounded down: the limit protects the caller, so it is never looser
 * than the share that was agreed to. It is never below `amountIn`.
 *
 * @param slippageBps 0 to 10000; 50 is half a percent.
 * @throws RangeError on a slippage outside of that or a negative amount.
 */
export function maxAmountIn(amountIn: bigint, slippageBps: bigint): bigint {
  if (slippageBps < 0n || slippageBps > BPS) throw new RangeError('maxAmountIn: slippageBps must be 0 to 10000')
  return mulDiv(amountIn, BPS + slippageBps, BPS, 'down')
}

/**
 * How much better for the trader a swap came out than it was quoted, as a signed share of the quote: 10^18 is all of
 * it, below zero is worse.
 *
 * `exact` names the amount that was fixed; the two amounts are the other one, as quoted and as executed. With `in`, more
 * bought is better, with `out`, less sold.
 *
 * Rounded down, below zero too: it is never shown better than it was.
 *
 * @throws RangeError where nothing was quoted, or on a negative amount.
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
 * Base units of the quote asset for one base unit of the base asset, as 18-decimal fixed point: `quote × 10^18 ÷ base`,
 * rounded down. Where both assets have 18 decimals, as all of Clearwell's have, it is also the price that people read.
 *
 * @returns `undefined` where either side of the pool is empty.
 * @throws RangeError on a negative reserve.
 */
export function midPriceE18(reserves: PoolReserves): bigint | undefined {
  if (reserves.base < 0n || reserves.quote < 0n) throw new RangeError('midPriceE18: reserves must not be negative')
  if (reserves.base === 0n || reserves.quote === 0n) return undefined
  return mulDiv(reserves.quote, E18, reserves.base, 'down')
}

function sides(reserves: PoolReserves, direction: SwapDirection): [reserveIn: bigint, reserveOut: bigint] {
  return direction === 'base_to_quote' ? [reserves.base, reserves.quote] : [reserves.quote, reserves.base]
}

function fromSides(reserveIn: bigint, reserveOut: bigint, direction: SwapDirection): PoolReserves {
  return direction === 'base_to_quote' ? { base: reserveIn, quote: reserveOut } : { base: reserveOut, quote: reserveIn }
}

function refuseNonsense(reserves: PoolReserves, amount: bigint, fees: SwapFees): void {
  if (reserves.base < 0n || reserves.quote < 0n) throw new RangeError('swap: reserves must not be negative')
  if (amount < 0n) throw new RangeError('swap: the amount must not be negative')
  if (fees.revenueBps < 0n || fees.revenueBps > fees.totalBps || fees.totalBps >= BPS) {
    throw new RangeError('swap: fees must be 0 ≤ revenueBps ≤ totalBps < 10000')
  }
}

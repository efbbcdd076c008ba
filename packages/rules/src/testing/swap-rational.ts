import type { SwapFees } from '../swap.ts'
import { Fraction } from './fraction.ts'

/**
 * A second implementation of the swap, which the tests compare with `swap.ts`. It derives the swap from its definition in
 * exact fractions, and rounds once at the end. Slow and simple on purpose: it shares neither code nor formulas with `swap.ts`.
 *
 * The fee is deducted from the amount sold first. The rest moves the pool along `x·y = k`.
 */

const whole = (units: bigint) => new Fraction(units)
const ONE = whole(1n)
const E18 = whole(10n ** 18n)
const share = (bps: bigint) => new Fraction(bps, 10_000n)

export interface RationalSwap {
  readonly amountOut: bigint
  readonly amountOutAtMid: bigint
  readonly fee: bigint
  readonly revenue: bigint
  readonly priceImpactE18: bigint
  readonly reserveInAfter: bigint
  readonly reserveOutAfter: bigint
}

/** Computes a sale of `amountIn`; `undefined` if it buys less than one unit. Neither side of the pool may be empty. */
export function sellExactly(pool: {
  readonly reserveIn: bigint
  readonly reserveOut: bigint
  readonly amountIn: bigint
  readonly fees: SwapFees
}): RationalSwap | undefined {
  const [x, y, sold] = [whole(pool.reserveIn), whole(pool.reserveOut), whole(pool.amountIn)]
  const k = x.times(y)
  const fee = sold.times(share(pool.fees.totalBps))
  const net = sold.minus(fee)
  // The pool's other side moves to where the product is the same again; the difference is what was bought.
  const amountOut = y.minus(k.over(x.plus(net))).floor()
  if (amountOut === 0n) return undefined
  const price = y.over(x)
  const revenue = sold.times(share(pool.fees.revenueBps)).floor()
  return {
    amountOut,
    amountOutAtMid: sold.times(price).floor(),
    fee: fee.ceil(),
    revenue,
    priceImpactE18: ONE.minus(whole(amountOut).over(net).over(price)).times(E18).ceil(),
    reserveInAfter: x.plus(sold).minus(whole(revenue)).floor(),
    reserveOutAfter: y.minus(whole(amountOut)).floor(),
  }
}

/** Computes the least sale that buys `amountOut`, which is above zero and less than the reserve. */
export function leastSold(pool: {
  readonly reserveIn: bigint
  readonly reserveOut: bigint
  readonly amountOut: bigint
  readonly fees: SwapFees
}): bigint {
  const [x, y] = [whole(pool.reserveIn), whole(pool.reserveOut)]
  const k = x.times(y)
  // The reserve that the pool needs afterwards, less the current one.
  const net = k.over(y.minus(whole(pool.amountOut))).minus(x)
  return net.over(ONE.minus(share(pool.fees.totalBps))).ceil()
}

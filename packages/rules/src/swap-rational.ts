import type { SwapFees } from './swap.ts'

/**
 * The swap a second time, for the tests to hold the first against: worked out from what it means, in exact fractions, and
 * rounded once at the very end. Slow and plain on purpose; it shares no line with `swap.ts` and no formula either.
 *
 * The fee is taken off what is sold first. The rest moves the pool along `x·y = k`.
 */

/** A fraction in lowest terms with a positive denominator. */
class Fraction {
  readonly top: bigint
  readonly bottom: bigint

  constructor(top: bigint, bottom = 1n) {
    const divisor = greatestCommonDivisor(top, bottom) * (bottom < 0n ? -1n : 1n)
    this.top = top / divisor
    this.bottom = bottom / divisor
  }

  plus = (other: Fraction) =>
    new Fraction(this.top * other.bottom + other.top * this.bottom, this.bottom * other.bottom)
  minus = (other: Fraction) =>
    new Fraction(this.top * other.bottom - other.top * this.bottom, this.bottom * other.bottom)
  times = (other: Fraction) => new Fraction(this.top * other.top, this.bottom * other.bottom)
  over = (other: Fraction) => new Fraction(this.top * other.bottom, this.bottom * other.top)

  /** Towards minus infinity. */
  floor(): bigint {
    const cut = this.top / this.bottom
    return cut * this.bottom > this.top ? cut - 1n : cut
  }

  /** Towards plus infinity. */
  ceil(): bigint {
    return -new Fraction(-this.top, this.bottom).floor()
  }
}

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

/** What selling `amountIn` gives; `undefined` where that is not one unit. Both sides of the pool hold something. */
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

/** The least that must be sold to buy `amountOut`, which is above zero and less than the pool holds. */
export function leastSold(pool: {
  readonly reserveIn: bigint
  readonly reserveOut: bigint
  readonly amountOut: bigint
  readonly fees: SwapFees
}): bigint {
  const [x, y] = [whole(pool.reserveIn), whole(pool.reserveOut)]
  const k = x.times(y)
  // Where the pool must stand afterwards, and how far that is from here.
  const net = k.over(y.minus(whole(pool.amountOut))).minus(x)
  return net.over(ONE.minus(share(pool.fees.totalBps))).ceil()
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [left, right] = [a < 0n ? -a : a, b < 0n ? -b : b]
  while (right !== 0n) [left, right] = [right, left % right]
  return left
}

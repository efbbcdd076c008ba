/** A fraction in lowest terms with a positive denominator. */
export class Fraction {
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

/** Rounds to 60 decimals, so that a long calculation stays fast. */
export function cut({ top, bottom }: Fraction): Fraction {
  return new Fraction((top * DECIMALS) / bottom, DECIMALS)
}
const DECIMALS = 10n ** 60n

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [left, right] = [a < 0n ? -a : a, b < 0n ? -b : b]
  while (right !== 0n) [left, right] = [right, left % right]
  return left
}

export type Rounding = 'down' | 'up'

/**
 * Computes `a × b ÷ c` in exact integers. The caller always names the rounding.
 *
 * @param rounding `down` truncates towards zero, `up` adds one if there is a remainder.
 * @throws RangeError on a negative operand or a divisor of zero: money rules never need either.
 */
export function mulDiv(a: bigint, b: bigint, c: bigint, rounding: Rounding): bigint {
  if (a < 0n || b < 0n) throw new RangeError('mulDiv: operands must not be negative')
  if (c <= 0n) throw new RangeError('mulDiv: divisor must be positive')
  const product = a * b
  const quotient = product / c
  return rounding === 'up' && quotient * c !== product ? quotient + 1n : quotient
}

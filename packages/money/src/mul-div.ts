export type Rounding = 'down' | 'up'

/**
 * `a × b ÷ c` in exact integers, with the rounding always written by the caller.
 *
 * @param rounding `down` cuts towards zero, `up` adds one where a remainder is left.
 * @throws RangeError on a negative operand or a divisor of zero: money rules never need either.
 */
export function mulDiv(a: bigint, b: bigint, c: bigint, rounding: Rounding): bigint {
  if (a < 0n || b < 0n) throw new RangeError('mulDiv: operands must not be negative')
  if (c <= 0n) throw new RangeError('mulDiv: divisor must be positive')
  const product = a * b
  const quotient = product / c
  return rounding === 'up' && quotient * c !== product ? quotient + 1n : quotient
}

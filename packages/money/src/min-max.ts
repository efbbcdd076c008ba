/** Returns the smaller of two amounts in base units. `Math.min` throws for bigint. */
export function minUnits(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}

/** Returns the greater of two amounts in base units. `Math.max` throws for bigint. */
export function maxUnits(a: bigint, b: bigint): bigint {
  if (a > b) return a
  return b
}

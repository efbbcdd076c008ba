/** The smaller of two amounts in base units. `Math.min` takes no bigint: it throws. */
export function minUnits(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}

/** The greater of two amounts in base units. `Math.max` takes no bigint: it throws. */
export function maxUnits(a: bigint, b: bigint): bigint {
  if (a > b) return a
  return b
}

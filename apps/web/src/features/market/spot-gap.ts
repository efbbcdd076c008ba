import { formatUnits, parseUnits } from '@clearwell/money/decimal'

const DECIMALS = 18
const E18 = 10n ** 18n

/** How far the pool's price is above (or, negative, below) spot, as a fraction in text; `undefined` where it cannot be told. */
export function spotGap(poolPrice: string, spotPrice: string): string | undefined {
  const pool = parseUnits(poolPrice, DECIMALS)
  const spot = parseUnits(spotPrice, DECIMALS)
  if (pool === undefined || spot === undefined || spot === 0n) return undefined
  const gap = ((pool - spot) * E18) / spot
  return gap < 0n ? `-${formatUnits(-gap, DECIMALS)}` : formatUnits(gap, DECIMALS)
}

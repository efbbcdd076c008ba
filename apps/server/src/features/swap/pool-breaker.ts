import { maxUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'

const BPS = 10_000n

/**
 * What a pool's price is held against: the spot price, as both ends, or the prices that the pool itself had in the last
 * hour. 18-decimal fixed point, above zero.
 */
export interface PriceRange {
  readonly lowestE18: bigint
  readonly highestE18: bigint
}

/** Where a pool's price may stand, both ends included. */
export interface PriceBand {
  readonly lowE18: bigint
  readonly highE18: bigint
}

/** Who suspended a pool. The operator wins over the rule. */
export type SuspendedBy = 'rule' | 'operator'

/**
 * The band that is nowhere farther than `limitBps` from any price of the range. Rounded inwards: it is never wider than
 * the limit. Where the range itself is wider than the limit the band is empty, its low end above its high end.
 */
export function bandAround({ lowestE18, highestE18 }: PriceRange, limitBps: bigint): PriceBand {
  return {
    lowE18: mulDiv(highestE18, BPS - limitBps, BPS, 'up'),
    highE18: mulDiv(lowestE18, BPS + limitBps, BPS, 'down'),
  }
}

/** How far a price is from the farthest price of a range, in basis points of that one. Rounded up: never told smaller. */
export function deviationBps(priceE18: bigint, { lowestE18, highestE18 }: PriceRange): bigint {
  const above = priceE18 > lowestE18 ? mulDiv(priceE18 - lowestE18, BPS, lowestE18, 'up') : 0n
  const below = priceE18 < highestE18 ? mulDiv(highestE18 - priceE18, BPS, highestE18, 'up') : 0n
  return maxUnits(above, below)
}

/**
 * Whether a swap may take a pool's price from `before` to `after`: it may end inside the band, and outside of it only
 * nearer to the band than it was, on the same side. So nobody can push a pool to where it would be suspended for all
 * others, nobody buys at a price that has left the market, and a pool that was left behind can be traded back.
 *
 * @param priceBefore asked for only where it matters: nearly every swap ends inside.
 */
export function isMoveAllowed(move: { priceBefore: () => bigint; afterE18: bigint; band: PriceBand }): boolean {
  const { priceBefore, afterE18, band } = move
  if (afterE18 < band.lowE18) return priceBefore() < afterE18
  if (afterE18 > band.highE18) return priceBefore() > afterE18
  return true
}

/** Whether a price is so near that a suspension by the rule may end: under half the limit. */
export function isCalm(deviation: bigint, limitBps: bigint): boolean {
  return deviation * 2n < limitBps
}

/**
 * What the rule makes of a pool: suspend one that is watched and beyond the limit; resume what the rule suspended, once
 * the price was calm for long enough; watch again what the operator resumed, once the price is calm. What the operator
 * suspended only the operator resumes.
 *
 * @param standing.deviation `undefined` where nothing fresh is known to hold the price against: then nothing changes.
 * @param standing.calmForMs how long the price was calm without a break; 0 where it is not.
 */
export function judgePool(
  standing: {
    readonly suspendedBy: SuspendedBy | undefined
    readonly isWatched: boolean
    readonly deviation: bigint | undefined
    readonly calmForMs: number
  },
  rules: { readonly limitBps: bigint; readonly calmMs: number },
): 'suspended' | 'resumed' | 'watched' | undefined {
  const { suspendedBy, isWatched, deviation, calmForMs } = standing
  if (deviation === undefined || suspendedBy === 'operator') return undefined
  const calm = isCalm(deviation, rules.limitBps)
  if (suspendedBy === 'rule') return calm && calmForMs >= rules.calmMs ? 'resumed' : undefined
  if (!isWatched) return calm ? 'watched' : undefined
  return deviation > rules.limitBps ? 'suspended' : undefined
}

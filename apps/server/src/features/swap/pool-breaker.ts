import { mulDiv } from '@clearwell/money/mul-div'
import { BPS } from '@clearwell/money/scale'

/**
 * The prices that a pool is compared with: the spot price, as both ends, or the pool's own prices of the last hour.
 * 18-decimal fixed point, above zero.
 */
export interface PriceRange {
  readonly lowestE18: bigint
  readonly highestE18: bigint
}

/** The allowed prices of a pool, both ends included. */
export interface PriceBand {
  readonly lowE18: bigint
  readonly highE18: bigint
}

/** The actor that suspended a pool. Only an earlier version suspended by `rule`; such a pool trades again. */
export type SuspendedBy = 'rule' | 'operator'

/**
 * The band whose prices are all within `limitBps` of every price of the range. Rounded inwards: it is never wider than
 * the limit. If the range itself is wider than the limit, the band is empty: its low end is above its high end.
 */
export function bandAround({ lowestE18, highestE18 }: PriceRange, limitBps: bigint): PriceBand {
  return {
    lowE18: mulDiv(highestE18, BPS - limitBps, BPS, 'up'),
    highE18: mulDiv(lowestE18, BPS + limitBps, BPS, 'down'),
  }
}

/**
 * Decides if a swap may move a pool's price from `priceBefore` to `afterE18`. The swap may end inside the band. It may
 * end outside only if that is nearer to the band than before, on the same side. So no user can close a
 * pool for everyone else or buy far off the market, and a pool that fell behind the market can be traded back.
 *
 * @param move.priceBefore called only when needed: nearly every swap ends inside.
 */
export function isMoveAllowed(move: { priceBefore: () => bigint; afterE18: bigint; band: PriceBand }): boolean {
  const { priceBefore, afterE18, band } = move
  if (afterE18 < band.lowE18) return priceBefore() < afterE18
  if (afterE18 > band.highE18) return priceBefore() > afterE18
  return true
}

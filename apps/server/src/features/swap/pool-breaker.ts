import { maxUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'

const BPS = 10_000n

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

/** The actor that suspended a pool. The operator overrides the rule. */
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

/** The distance of a price from the farthest price of a range, in basis points of the latter. Rounded up. */
export function deviationBps(priceE18: bigint, { lowestE18, highestE18 }: PriceRange): bigint {
  const above = priceE18 > lowestE18 ? mulDiv(priceE18 - lowestE18, BPS, lowestE18, 'up') : 0n
  const below = priceE18 < highestE18 ? mulDiv(highestE18 - priceE18, BPS, highestE18, 'up') : 0n
  return maxUnits(above, below)
}

/**
 * Decides if a swap may move a pool's price from `priceBefore` to `afterE18`. The swap may end inside the band. It may
 * end outside only if that is nearer to the band than before, on the same side. So no user can push a pool into
 * suspension for everyone else or buy far off the market, and a pool that fell behind the market can be traded back.
 *
 * @param move.priceBefore called only when needed: nearly every swap ends inside.
 */
export function isMoveAllowed(move: { priceBefore: () => bigint; afterE18: bigint; band: PriceBand }): boolean {
  const { priceBefore, afterE18, band } = move
  if (afterE18 < band.lowE18) return priceBefore() < afterE18
  if (afterE18 > band.highE18) return priceBefore() > afterE18
  return true
}

/** Checks that a price is near enough to end a suspension by the rule: under half the limit. */
export function isCalm(deviation: bigint, limitBps: bigint): boolean {
  return deviation * 2n < limitBps
}

/**
 * Applies the rule to a pool. The rule suspends a watched pool beyond the limit, and resumes its own suspension after
 * the price was calm for long enough. It watches a pool that the operator resumed again once the price is calm. Only
 * the operator resumes the operator's suspension.
 *
 * @param pool.deviation `undefined` without a fresh reference price: then nothing changes.
 * @param pool.calmForMs how long the price has been calm without a break; 0 if it is not calm.
 */
export function judgePool(
  pool: {
    readonly suspendedBy: SuspendedBy | undefined
    readonly isWatched: boolean
    readonly deviation: bigint | undefined
    readonly calmForMs: number
  },
  rules: { readonly limitBps: bigint; readonly calmMs: number },
): 'suspended' | 'resumed' | 'watched' | undefined {
  const { suspendedBy, isWatched, deviation, calmForMs } = pool
  if (deviation === undefined || suspendedBy === 'operator') return undefined
  const calm = isCalm(deviation, rules.limitBps)
  if (suspendedBy === 'rule') return calm && calmForMs >= rules.calmMs ? 'resumed' : undefined
  if (!isWatched) return calm ? 'watched' : undefined
  return deviation > rules.limitBps ? 'suspended' : undefined
}

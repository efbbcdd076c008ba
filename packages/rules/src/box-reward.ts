import type { Amount } from '@clearwell/money/amount'
import { mulDiv } from '@clearwell/money/mul-div'

/** A day shares this part of `rewards`: one thirtieth. */
export const POOL_PARTS = 30n

/**
 * Computes the pool that a day shares: 1/30 of the `rewards` balance at the day's end, in each asset. Rounded down; the
 * rest stays in `rewards`.
 */
export function poolOfDay(rewards: readonly Amount[]): Amount[] {
  return rewards.map(({ asset, units }) => ({ asset, units: mulDiv(units, 1n, POOL_PARTS, 'down') }))
}

/**
 * Computes the reward of a box: its part of the pool by power, in each asset. Rounded down, so that all boxes together
 * never receive more than the pool; the rest stays in `rewards`.
 *
 * @param power of this box; any scale that `totalPower` has too.
 * @returns the amounts above zero. None: there is nothing to divide.
 * @throws RangeError if the box has more power than all boxes together, or none.
 */
export function rewardOf(box: {
  readonly pool: readonly Amount[]
  readonly power: bigint
  readonly totalPower: bigint
}): Amount[] {
  const { pool, power, totalPower } = box
  if (power <= 0n || power > totalPower) throw new RangeError(`rewardOf: ${power} is no part of ${totalPower}`)
  return pool
    .map(({ asset, units }) => ({ asset, units: mulDiv(units, power, totalPower, 'down') }))
    .filter(({ units }) => units > 0n)
}

import type { Amount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import { minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import type { BoxRules } from './box-rules.ts'

/** An asset's part in a day: the `rewards` balance at its end, and what its box owners' fees brought in. */
export interface PoolSource {
  readonly asset: AssetId
  readonly rewards: bigint
  /**
   * The share of `rewards` in the swap fees of the day's box owners in the days before. The part for an inviter does not count,
   * also where it falls to `rewards`: an operator with an inviter account would gain from it.
   */
  readonly contributed: bigint
}

/**
 * Computes the pool that a day shares, in each asset: one part of the smaller of `rewards` and of what the fees of its
 * box owners brought in. Rounded down; the rest stays in `rewards`. So a pot that many filled is not taken by the few who
 * are left, and without a box there is no pool.
 */
export function poolOfDay(sources: readonly PoolSource[], { poolParts }: Pick<BoxRules, 'poolParts'>): Amount[] {
  return sources.map(({ asset, rewards, contributed }) => ({
    asset,
    units: mulDiv(minUnits(rewards, contributed), 1n, BigInt(poolParts), 'down'),
  }))
}

/**
 * Splits what `treasury` owes for a void day: as much as the day would have divided. What it lacks stays a debt, which its
 * next income pays first.
 */
export function forfeitOf(pool: bigint, treasury: bigint): { readonly paid: bigint; readonly owed: bigint } {
  const paid = minUnits(treasury, pool)
  return { paid, owed: pool - paid }
}

/**
 * Computes the reward of a box: its part of the pool by power, in each asset. Rounded down, so that all boxes together
 * never receive more than the pool; the rest stays in `rewards`.
 *
 * @param power of this box; any scale that `totalPower` has too.
 * @returns the amounts above zero. None: the box has no power, or there is nothing to divide.
 * @throws RangeError if the box has more power than all boxes together.
 */
export function rewardOf(box: {
  readonly pool: readonly Amount[]
  readonly power: bigint
  readonly totalPower: bigint
}): Amount[] {
  const { pool, power, totalPower } = box
  if (power < 0n || power > totalPower) throw new RangeError(`rewardOf: ${power} is no part of ${totalPower}`)
  if (power === 0n) return []
  return pool
    .map(({ asset, units }) => ({ asset, units: mulDiv(units, power, totalPower, 'down') }))
    .filter(({ units }) => units > 0n)
}

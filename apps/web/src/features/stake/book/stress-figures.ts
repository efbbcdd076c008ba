import { parseUnits } from '@clearwell/money/decimal'
import { maxUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import type { StressedPool, StressTestResult } from './book.queries.ts'

const DECIMALS = 18
/** Bars are drawn on a width of a thousand. */
const WIDTH = 1_000n
/** Narrower than this nothing is seen. */
const LEAST = 8

/** The debt of the liquidated loans of a pool in a scenario, as widths of its bar: who pays for it. */
export interface StressBar {
  readonly collateral: number
  readonly insurance: number
  readonly pledgers: number
}

/**
 * Computes the bars of a stress test. Those of one asset share a scale, so that they can be compared: the longest is the
 * largest debt of that asset in any scenario.
 */
export function barOf(pool: StressedPool, { scenarios }: Pick<StressTestResult, 'scenarios'>): StressBar {
  const debts = scenarios.flatMap(({ pools }) =>
    pools.filter(({ asset }) => asset === pool.asset).map(({ debt }) => unitsOf(debt)),
  )
  const most = debts.reduce(maxUnits, 0n)
  if (most === 0n) return { collateral: 0, insurance: 0, pledgers: 0 }
  const width = (units: bigint) => {
    const exact = Number(mulDiv(units, WIDTH, most, 'down'))
    return units === 0n ? 0 : Math.max(exact, LEAST)
  }
  return {
    collateral: width(unitsOf(pool.debt) - unitsOf(pool.shortfall)),
    insurance: width(unitsOf(pool.paid_by_insurance)),
    pledgers: width(unitsOf(pool.lost_by_pledgers)),
  }
}

export function isSome(amount: string): boolean {
  return /[1-9]/.test(amount)
}

function unitsOf(amount: string): bigint {
  return parseUnits(amount, DECIMALS) ?? 0n
}

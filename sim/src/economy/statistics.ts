import type { Run, Strategy } from './strategy.ts'

/** Half of the width of a 99 % confidence interval, in standard errors. */
const Z_99 = 2.576
const E18 = 1e18
/** Differences of two runs by rounding, in base units: a billionth of a USDT. No command costs less. */
const DUST = 1_000_000_000n

export interface Result {
  readonly strategy: Strategy
  readonly runs: number
  /** In USDT. */
  readonly mean: number
  /** Half of the 99 % confidence interval of the mean. Infinite for a single run. */
  readonly margin: number
  readonly worst: number
  /** The largest bound of a run. */
  readonly bound: number
  readonly holds: boolean
}

/** Sums up the runs of a strategy. Exact where no run may break its bound, by confidence where only the mean counts. */
export function summarize(strategy: Strategy, runs: readonly Run[]): Result {
  const gains = runs.map(({ gain }) => Number(gain) / E18)
  const beyond = runs.map(({ gain, bound }) => Number(gain - bound) / E18)
  return {
    strategy,
    runs: runs.length,
    mean: meanOf(gains),
    margin: marginOf(gains),
    worst: Math.max(...gains),
    bound: Math.max(...runs.map(({ bound }) => Number(bound) / E18)),
    holds:
      strategy.holds === 'always'
        ? runs.every(({ gain, bound }) => gain <= bound + DUST)
        : meanOf(beyond) <= (runs.length > 1 ? marginOf(beyond) : 0),
  }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function marginOf(values: readonly number[]): number {
  if (values.length < 2) return Number.POSITIVE_INFINITY
  const mean = meanOf(values)
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
  return Z_99 * Math.sqrt(variance / values.length)
}

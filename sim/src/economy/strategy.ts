/** The outcome of one run of a strategy, in base units of USDT. */
export interface Run {
  /** The attacker's money beyond the best honest use of the same capital by one account, fees included. */
  readonly gain: bigint
  /** The gain that the product rules allow: 0 unless they state another. */
  readonly bound: bigint
}

export interface Strategy {
  /** For `--only`. */
  readonly name: string
  /** The attack in words. */
  readonly about: string
  /** The money that the attacker needs, in words. */
  readonly capital: string
  /** The bound in words. */
  readonly bound: string
  /**
   * `always`: no run may gain more than its bound. `mean`: the outcome is drawn or depends on a price, so the mean of the
   * runs may not be above the mean bound, with 99 % confidence.
   */
  readonly holds: 'always' | 'mean'
  run(seed: number): Run
}

export const NOTHING_GAINED = '0'

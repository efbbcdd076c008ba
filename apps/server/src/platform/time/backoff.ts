export interface BackoffRules {
  /** The wait after a first failure; it doubles with each that follows, up to the most. */
  readonly backoffMs: number
  readonly maxBackoffMs: number
}

/** Waits that double with each failure. Two servers that fail together get different waits and don't return together. */
export class Backoff {
  readonly #rules: BackoffRules
  readonly #random: () => number
  #failures = 0

  /** @param random from 0 to 1. */
  constructor(rules: BackoffRules, random: () => number) {
    this.#rules = rules
    this.#random = random
  }

  /** Counts a failure. @returns how long to wait: from half of the full wait to all of it. */
  nextMs(): number {
    const { backoffMs, maxBackoffMs } = this.#rules
    const fullMs = Math.min(maxBackoffMs, backoffMs * 2 ** this.#failures)
    this.#failures = Math.min(this.#failures + 1, 30)
    return fullMs * (0.5 + this.#random() / 2)
  }

  /** A success: the next failure waits as a first one does. */
  reset(): void {
    this.#failures = 0
  }
}

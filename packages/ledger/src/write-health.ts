/** Failed batches in a row after which a writer counts as failing. */
const MOST_FAILED = 3
/** Milliseconds without a success after the first failed batch, after which it counts as failing too. */
const FAILING_MS = 5_000
/** Heartbeats that a writer waits before it takes the lease again: after the first time that it gives way, and at most. */
const [FIRST_WAIT, LONGEST_WAIT] = [2, 8]

/**
 * Judges whether a writer can write, by its batches with commands. A heartbeat says nothing: on a full disk it succeeds, and
 * every batch with an entry fails.
 */
export class WriteHealth {
  readonly #beatMs: number
  #failed = 0
  #beatsSinceFailure = 0
  #waits = 0

  /** @param beatMs milliseconds between two heartbeats, which count the time. */
  constructor(beatMs: number) {
    this.#beatMs = beatMs
  }

  /** True until a batch succeeds, or another process writes. */
  get isFailing(): boolean {
    return this.#failed >= MOST_FAILED || this.#beatsSinceFailure * this.#beatMs >= FAILING_MS
  }

  noteBeat(): void {
    if (this.#failed > 0) this.#beatsSinceFailure++
  }

  noteFailure(): void {
    this.#failed++
  }

  noteSuccess(): void {
    this.#failed = 0
    this.#beatsSinceFailure = 0
    this.#waits = 0
  }

  /** Heartbeats to wait before the lease is taken again: twice as many each time. */
  nextWait(): number {
    return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#waits++)
  }
}

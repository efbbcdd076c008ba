import type { Judgement } from './judge-readings.ts'

/** How many looks in a row must find two fresh sources before money moves again. */
const LOOKS = 2

/** A judgement, where a price that was gone has to prove itself before money uses it. */
export type Recovering = Judgement & {
  /** Two sources are fresh again, and the next look decides. */
  readonly isRecovering?: boolean
}

/**
 * Keeps a price from money until two looks in a row have found two fresh sources: also at the start. A source that comes
 * and goes, or one that returns with a wick, decides nothing in between.
 */
export class PriceRecovery {
  /** The looks that found two fresh sources; `LOOKS` once money may use the price. */
  #looks = 0
  #lost: Exclude<Judgement, { state: 'fresh' | 'apart' }> = { state: 'unknown', why: 'never_read' }

  /** Judges now. Losing the price counts at each reading, winning it back only by looks. */
  judge(judgement: Judgement): Recovering {
    if (!('meanE18' in judgement)) {
      this.#looks = 0
      this.#lost = judgement
      return judgement
    }
    if (this.#looks >= LOOKS) return judgement
    const lost = this.#lost
    if (lost.state === 'unknown') return { ...lost, isRecovering: true }
    return { state: lost.state, priceE18: judgement.meanE18, time: judgement.time, isRecovering: true }
  }

  /** The same, as one of the regular looks. */
  look(judgement: Judgement): Recovering {
    if ('meanE18' in judgement) this.#looks = Math.min(this.#looks + 1, LOOKS)
    return this.judge(judgement)
  }
}

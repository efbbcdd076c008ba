import type { Odds } from './box-draw.ts'
import { TICKETS } from './box-rules.ts'

/**
 * Computes how much more of the rewards one person gets on average who spreads fees over very many accounts, instead of one account.
 *
 * The share of a day is concave in the draw: a large box that draws ×10 gets less than ten times as much, because its own power is in the
 * sum. Many small boxes draw the mean together, m. Where the others are many too, spreading brings the share `s`, and one account
 * `E[s·d ÷ (s·d + (1 − s)·m)]`. Every other number of accounts lies between both.
 *
 * @param part the person's part of all fees that make power, s, above 0 and below 1.
 * @returns the gain as a part of the rewards of one account. Every figure is an average, so it is no amount of money.
 * @throws RangeError if the part is out of range.
 */
export function gainOfSpreading(odds: Odds, part: number): number {
  if (!(part > 0 && part < 1)) throw new RangeError(`gainOfSpreading: ${part} is no part of all fees`)
  const mean = meanOf(odds, (factor) => factor)
  const alone = meanOf(odds, (factor) => (part * factor) / (part * factor + (1 - part) * mean))
  return part / alone - 1
}

/** Steps in which {@link highestGainOfSpreading} looks for the worst part. */
const STEPS = 1_000

/**
 * Computes the highest gain of spreading, over all parts of the fees. Draws of the others only change the part, so no one gains
 * more on average.
 */
export function highestGainOfSpreading(odds: Odds): { readonly part: number; readonly gain: number } {
  const parts = Array.from({ length: STEPS - 1 }, (_, index) => (index + 1) / STEPS)
  return parts
    .map((part) => ({ part, gain: gainOfSpreading(odds, part) }))
    .reduce((most, each) => (each.gain > most.gain ? each : most))
}

function meanOf(odds: Odds, at: (factor: number) => number): number {
  return odds.reduce((sum, { factor, tickets }) => sum + at(factor) * tickets, 0) / TICKETS
}

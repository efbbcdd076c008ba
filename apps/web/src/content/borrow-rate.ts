/** A kinked curve of the yearly borrowing rate. Fractions; for drawing, so floating point. */
export interface RateCurve {
  /** The utilisation from which on the rate rises fast. */
  readonly kinkAt: number
  readonly rateAtKink: number
  readonly rateAtFull: number
}

/** The yearly rate at a utilisation of 0 to 1: a straight line from 0 to the kink, and a steeper one from there. */
export function borrowRate({ kinkAt, rateAtKink, rateAtFull }: RateCurve, utilisation: number): number {
  if (utilisation <= kinkAt) return (rateAtKink * utilisation) / kinkAt
  return rateAtKink + ((rateAtFull - rateAtKink) * (utilisation - kinkAt)) / (1 - kinkAt)
}

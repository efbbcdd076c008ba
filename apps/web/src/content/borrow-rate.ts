import type { ResponseOf } from '@clearwell/api/routes'

/** A kinked curve of the yearly borrowing rate. Fractions; for drawing, so floating point. */
export interface RateCurve {
  /** The rate of a pool without loans. */
  readonly base: number
  /** The utilisation from which on the rate rises fast. */
  readonly kinkAt: number
  readonly rateAtKink: number
  readonly rateAtFull: number
}

/** The yearly rate at a utilisation of 0 to 1: a straight line up to the kink, and a steeper one from there. */
export function borrowRate({ base, kinkAt, rateAtKink, rateAtFull }: RateCurve, utilisation: number): number {
  if (utilisation <= kinkAt) return base + ((rateAtKink - base) * utilisation) / kinkAt
  return rateAtKink + ((rateAtFull - rateAtKink) * (utilisation - kinkAt)) / (1 - kinkAt)
}

/** The rate curve of an asset, for drawing; `undefined` if the asset has no pool. */
export function rateCurveOf(asset: string, { pools }: ResponseOf<'stakeParameters'>['now']): RateCurve | undefined {
  const curve = pools.find((each) => each.asset === asset)?.curve
  if (!curve) return undefined
  const { base, kink, slope_to_kink: slope, slope_above_kink: steep } = curve
  const rateAtKink = Number(base) + Number(slope)
  return { base: Number(base), kinkAt: Number(kink), rateAtKink, rateAtFull: rateAtKink + Number(steep) }
}

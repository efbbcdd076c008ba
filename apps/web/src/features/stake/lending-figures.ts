import type { ResponseOf } from '@clearwell/api/routes'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import type { LtvLimits } from '@clearwell/rules/loan'
import type { RateCurve } from '@clearwell/rules/pool-rate'

/** The figures of a pool as the rules need them. */

type MarketPool = ResponseOf<'stakeMarket'>[number]

const FRACTION_DECIMALS = 18
const BPS_DECIMALS = 4

/** The limits of the ratio, in basis points. */
export function limitsOf(pool: Pick<MarketPool, 'ltv_initial' | 'ltv_warning' | 'ltv_liquidation'>): LtvLimits {
  return {
    initialBps: parseUnits(pool.ltv_initial, BPS_DECIMALS) ?? 0n,
    warningBps: parseUnits(pool.ltv_warning, BPS_DECIMALS) ?? 0n,
    liquidationBps: parseUnits(pool.ltv_liquidation, BPS_DECIMALS) ?? 0n,
  }
}

/** The curve of a pool, for the rules. */
export function curveOf({ curve }: Pick<MarketPool, 'curve'>): RateCurve {
  return {
    baseE18: fractionE18(curve.base),
    kinkE18: fractionE18(curve.kink),
    slopeToKinkE18: fractionE18(curve.slope_to_kink),
    slopeAboveKinkE18: fractionE18(curve.slope_above_kink),
    hourlyStepBps: parseUnits(curve.hourly_step, BPS_DECIMALS) ?? 0n,
  }
}

/** A decimal of the API at 10^18. Amounts too: all assets have 18 decimals in the ledger. */
export function fractionE18(text: string): bigint {
  return parseUnits(text, FRACTION_DECIMALS) ?? 0n
}

/** Plain decimal text of a figure at 10^18. */
export function textOfE18(value: bigint): string {
  return formatUnits(value, FRACTION_DECIMALS)
}

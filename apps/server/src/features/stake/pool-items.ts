import type { ResponseOf } from '@clearwell/api/routes'
import { formatAmount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import { minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import { borrowRate, type InterestCurve, utilisation } from '@clearwell/rules/interest'
import { type LendingPool, valueOfPledges, valueOfShares } from '@clearwell/rules/lending-pool'
import type { LtvLimits } from '@clearwell/rules/loan'
import type { PoolRules } from '../../config/stake-config.ts'
import type { PledgeRow, PoolSafety } from '../../platform/lending/lending.store.ts'
import type { PoolNow } from '../../platform/lending/lending-books.ts'

const BPS = 10_000n
const E18 = 10n ** 18n

const fraction = (bps: bigint) => formatUnits(bps, 4)

/** The terms that the loans of all pools have in common. */
interface LoanOffer {
  readonly limits: LtvLimits
  readonly collateral: readonly AssetId[]
  readonly termsDays: readonly number[]
}

/** A pool as everyone sees it. */
export function marketItem(
  rules: PoolRules,
  state: PoolNow | undefined,
  {
    limits,
    collateral,
    termsDays,
    priceE18,
    safety: { insurance, losses } = { insurance: 0n, losses: undefined },
  }: LoanOffer & { readonly priceE18: bigint | undefined; readonly safety: PoolSafety | undefined },
): ResponseOf<'stakeMarket'>[number] {
  const { asset, curve, reserveBps } = rules
  const { pool, rememberedE18 } = state ?? EMPTY
  const text = (units: bigint) => formatAmount({ asset, units })
  return {
    asset,
    supplied: text(valueOfPledges(pool, reserveBps)),
    borrowed: text(pool.borrowed),
    cash: text(pool.cash),
    utilisation: formatUnits(utilisation(pool), 18),
    pledge_rate: formatUnits(pledgeRate(pool, reserveBps), 18),
    loan_rate: formatUnits(borrowRate(curve, rememberedE18), 18),
    price: priceE18 === undefined ? null : formatUnits(priceE18, 18),
    ltv_initial: fraction(limits.initialBps),
    ltv_warning: fraction(limits.warningBps),
    ltv_liquidation: fraction(limits.liquidationBps),
    curve: curveItem(curve),
    reserve_factor: fraction(reserveBps),
    min_pledge: text(rules.minPledge),
    min_loan: text(rules.minLoan),
    collateral: collateral.filter((each) => each !== asset),
    terms_days: [...termsDays],
    paid_by_insurance: text(losses?.paid_by_insurance ?? 0n),
    lost_by_pledgers: text(losses?.lost_by_pledgers ?? 0n),
    last_loss_at: losses?.last_at.toISOString() ?? null,
    insurance: text(insurance),
  }
}

export function curveItem(curve: InterestCurve): ResponseOf<'stakeMarket'>[number]['curve'] {
  return {
    base: formatUnits(curve.baseE18, 18),
    kink: formatUnits(curve.kinkE18, 18),
    slope_to_kink: formatUnits(curve.slopeToKinkE18, 18),
    slope_above_kink: formatUnits(curve.slopeAboveKinkE18, 18),
  }
}

const EMPTY: PoolNow = {
  pool: { cash: 0n, borrowed: 0n, rateSum: 0n, accrued: 0n, accruedAt: 0n, shares: 0n },
  rememberedE18: 0n,
}

/** Computes what pledgers earn per year at the loans of this moment, at 10^18. Rounded down: never shown too high. */
function pledgeRate(pool: LendingPool, reserveBps: bigint): bigint {
  const value = valueOfPledges(pool, reserveBps)
  return value === 0n ? 0n : mulDiv(pool.rateSum, BPS - reserveBps, BPS * value, 'down')
}

/** A user's pledge of one asset. */
export function pledgeItem(
  { asset, reserveBps }: PoolRules,
  state: PoolNow | undefined,
  pledges: readonly PledgeRow[],
): ResponseOf<'pledgeInfo'>[number] {
  const { pool } = state ?? EMPTY
  const { shares, pledged, withdrawn } = pledges.find((each) => each.asset === asset) ?? NO_PLEDGE
  const value = valueOfShares(pool, shares, reserveBps)
  const rate = pledgeRate(pool, reserveBps)
  const text = (units: bigint) => formatAmount({ asset, units })
  return {
    asset,
    total_pledged: text(value),
    estimated_earnings: text(mulDiv(value, rate, E18, 'down')),
    actual_income: text(value + withdrawn - pledged),
    rate: formatUnits(rate, 18),
    withdrawable: text(minUnits(value, pool.cash)),
  }
}

const NO_PLEDGE = { shares: 0n, pledged: 0n, withdrawn: 0n }

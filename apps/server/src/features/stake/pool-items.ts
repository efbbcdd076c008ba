import type { ResponseOf } from '@clearwell/api/routes'
import { formatAmount } from '@clearwell/money/amount'
import { formatUnits } from '@clearwell/money/decimal'
import { minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import { E18 } from '@clearwell/money/scale'
import { utilisation } from '@clearwell/rules/interest'
import { largestByCaps } from '@clearwell/rules/loan-limits'
import { debtsOf, type LoanPool, newPool, type ShareTerms, valueIn, valueOfShares } from '@clearwell/rules/loan-pool'
import { currentRate, type RateCurve } from '@clearwell/rules/pool-rate'
import type { PledgeRow, PoolSafety } from '../../domain/lending/lending.store.ts'
import type { LendingRules } from '../../domain/lending/lending-parameters.ts'
import { pledgeRate, shownIncome } from '../../domain/lending/pledge-values.ts'
import type { PoolRules } from '../../domain/lending/stake-config.ts'
import type { MoneyPrice } from '../../platform/prices/money-prices.ts'

/** A share of a first pledge is a millionth of a unit. */
const SHOWN_SHARES = 10n ** 24n

const fraction = (bps: bigint) => formatUnits(bps, 4)

/** A pool at a moment, and what its shares are paid back at. */
export interface PoolMoment {
  readonly pool: LoanPool | undefined
  readonly terms: ShareTerms & { readonly isKnown: boolean }
}

/** A pool as everyone sees it. */
export function marketItem(
  rules: PoolRules,
  { pool: read, terms }: PoolMoment,
  {
    limits,
    collateral,
    termsDays,
    caps,
    price,
    safety: { insurance, losses } = { insurance: 0n, losses: undefined },
  }: Pick<LendingRules, 'limits' | 'collateral' | 'termsDays' | 'caps'> & {
    readonly price: MoneyPrice
    readonly safety: PoolSafety | undefined
  },
): ResponseOf<'stakeMarket'>[number] {
  const { asset, curve, reserveBps } = rules
  const pool = read ?? EMPTY
  const text = (units: bigint) => formatAmount({ asset, units })
  return {
    asset,
    supplied: text(valueIn(pool, reserveBps)),
    borrowed: text(pool.borrowed),
    cash: text(pool.cash),
    utilisation: formatUnits(utilisation(pool), 18),
    pledge_rate: formatUnits(pledgeRate(pool, reserveBps), 18),
    loan_rate: formatUnits(currentRate(pool.rate), 18),
    loan_rate_target: formatUnits(pool.rate.belowE18 + pool.rate.targetE18, 18),
    price: 'meanE18' in price ? formatUnits(price.meanE18, 18) : null,
    price_state: price.state,
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
    order_max: text(largestOrder(pool, { owed: 0n, caps })),
    share_value_in: formatUnits(valueOfShares(pool, SHOWN_SHARES, { reserveBps, knownLoss: 0n }), 18),
    share_value_out: terms.isKnown ? formatUnits(valueOfShares(pool, SHOWN_SHARES, terms), 18) : null,
    known_loss: terms.isKnown ? text(terms.knownLoss) : null,
  }
}

/** The most that an account can borrow in one order: by the caps and by the pool's cash. */
export function largestOrder(
  pool: LoanPool,
  { owed, caps }: { readonly owed: bigint; readonly caps: LendingRules['caps'] },
): bigint {
  const { ofOrder, ofAccount } = largestByCaps({ pool: pool.cash + debtsOf(pool), owed }, caps)
  return minUnits(pool.cash, minUnits(ofOrder, ofAccount))
}

export function curveItem(curve: RateCurve): ResponseOf<'stakeMarket'>[number]['curve'] {
  return {
    base: formatUnits(curve.baseE18, 18),
    kink: formatUnits(curve.kinkE18, 18),
    slope_to_kink: formatUnits(curve.slopeToKinkE18, 18),
    slope_above_kink: formatUnits(curve.slopeAboveKinkE18, 18),
    hourly_step: fraction(curve.hourlyStepBps),
  }
}

const EMPTY = newPool(0n)

/** A user's pledge of one asset. */
export function pledgeItem(
  { asset, reserveBps }: PoolRules,
  { pool: read, terms }: PoolMoment,
  pledges: readonly PledgeRow[],
): ResponseOf<'pledgeInfo'>[number] {
  const pool = read ?? EMPTY
  const { shares, pledged, withdrawn } = pledges.find((each) => each.asset === asset) ?? NO_PLEDGE
  const value = valueOfShares(pool, shares, terms)
  const rate = pledgeRate(pool, reserveBps)
  const text = (units: bigint) => formatAmount({ asset, units })
  return {
    asset,
    total_pledged: text(value),
    estimated_earnings: text(mulDiv(value, rate, E18, 'down')),
    actual_income: text(shownIncome(value + withdrawn - pledged)),
    rate: formatUnits(rate, 18),
    withdrawable: text(minUnits(value, pool.cash)),
    lost_now: text(valueOfShares(pool, shares, { reserveBps, knownLoss: 0n }) - value),
  }
}

const NO_PLEDGE = { shares: 0n, pledged: 0n, withdrawn: 0n }

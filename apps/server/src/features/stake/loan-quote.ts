import type { ResponseOf } from '@clearwell/api/routes'
import { type Amount, formatAmount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import { minUnits } from '@clearwell/money/min-max'
import {
  interestDue,
  type LtvLimits,
  largestLoan,
  leastCollateral,
  liquidationPrice,
  loanToValue,
} from '@clearwell/rules/loan'
import type { PoolRules } from '../../config/stake-config.ts'
import { dateOf, type PoolNow, secondsOf } from '../../platform/lending/lending-books.ts'
import type { FreshPrices } from '../../platform/lending/loan-prices.ts'
import { rateOfLoan } from './open-loan.ts'

const DAY_SECONDS = 86_400n

/** The terms of a loan that would be opened now. Without an amount to borrow, the rate is that of the least loan. */
export function quoteLoan(
  {
    pool,
    limits,
    state,
    now,
  }: { readonly pool: PoolRules; readonly limits: LtvLimits; readonly state: PoolNow; readonly now: Date },
  request: {
    readonly collateral: Amount | undefined
    readonly borrow: Amount | undefined
    readonly collateral_asset: AssetId
    readonly borrow_asset: AssetId
    readonly termDays: number
    readonly prices: FreshPrices
  },
): ResponseOf<'loanQuote'> {
  const { collateral, borrow, prices, termDays } = request
  const borrowed = (units: bigint) => formatAmount({ asset: request.borrow_asset, units })
  const rateE18 = rateOfLoan(pool.curve, state, minUnits(borrow?.units ?? pool.minLoan, state.pool.cash))
  const opened = secondsOf(now)
  const due = opened + BigInt(termDays) * DAY_SECONDS
  const most = collateral && minUnits(largestLoan(collateral.units, prices, limits), state.pool.cash)
  const least = borrow && leastCollateral(borrow.units, prices, limits)
  const debt = borrow && { principal: borrow.units, rateE18, accrued: 0n, accruedAt: opened }
  const ltv = borrow && collateral && loanToValue(borrow.units, collateral.units, prices)
  const price = borrow && collateral && liquidationPrice(borrow.units, collateral.units, limits)
  return {
    max_borrow: most === undefined ? null : borrowed(most),
    min_collateral: least === undefined ? null : formatAmount({ asset: request.collateral_asset, units: least }),
    rate: formatUnits(rateE18, 18),
    ltv: ltv === undefined ? null : formatUnits(ltv, 18),
    liquidation_price: price === undefined ? null : formatUnits(price, 18),
    interest_at_term: debt ? borrowed(interestDue(debt, due)) : null,
    repayment_time: dateOf(due).toISOString(),
    price_time: prices.time.toISOString(),
  }
}

import type { ResponseOf } from '@clearwell/api/routes'
import { type Amount, formatAmount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import { minUnits } from '@clearwell/money/min-max'
import { debtOfShares, interestBetween } from '@clearwell/rules/borrow-index'
import { largestLoan, leastCollateral, liquidationPrice, loanToValue } from '@clearwell/rules/loan'
import type { LoanPool } from '@clearwell/rules/loan-pool'
import { interestOver } from '@clearwell/rules/pool-rate'
import { dateOf, secondsOf } from '../../domain/lending/lending-books.ts'
import type { LendingRules } from '../../domain/lending/lending-parameters.ts'
import type { UsablePrices } from '../../domain/lending/loan-prices.ts'
import type { PoolRules } from '../../domain/lending/stake-config.ts'
import { poolAfterLoan } from './open-loan.ts'
import { largestOrder } from './pool-items.ts'

const DAY_SECONDS = 86_400n

/** State and rules that a loan is quoted by. */
interface QuoteMoment {
  readonly poolRules: PoolRules
  readonly rules: Pick<LendingRules, 'limits' | 'caps'>
  readonly pool: LoanPool
  /** The account's debt to the pool. */
  readonly owed: bigint
  /** The pool's index 30 days ago, or its first. */
  readonly indexThenE27: bigint
  readonly now: Date
}

/** The terms of a loan that would be opened now. Without an amount to borrow, the rate is that of the minimum loan. */
export function quoteLoan(
  { poolRules, rules: { limits, caps }, pool, owed, indexThenE27, now }: QuoteMoment,
  request: {
    readonly collateral: Amount | undefined
    readonly borrow: Amount | undefined
    readonly collateral_asset: AssetId
    readonly borrow_asset: AssetId
    readonly termDays: number
    readonly prices: UsablePrices
  },
): ResponseOf<'loanQuote'> {
  const { collateral, borrow, prices, termDays } = request
  const { worse } = prices
  const borrowed = (units: bigint) => formatAmount({ asset: request.borrow_asset, units })
  const loan = loanFrom(pool, minUnits(borrow?.units ?? poolRules.minLoan, pool.cash), poolRules)
  const term = BigInt(termDays) * DAY_SECONDS
  const most = collateral && minUnits(largestLoan(collateral.units, worse, limits), largestOrder(pool, { owed, caps }))
  const least = borrow && leastCollateral(borrow.units, worse, limits)
  const ltv = borrow && collateral && loanToValue(loan.debt, collateral.units, worse)
  const price = borrow && collateral && liquidationPrice(loan.debt, collateral.units, limits)
  return {
    max_borrow: most === undefined ? null : borrowed(most),
    min_collateral: least === undefined ? null : formatAmount({ asset: request.collateral_asset, units: least }),
    rate: formatUnits(loan.rateE18, 18),
    rate_target: formatUnits(loan.targetE18, 18),
    interest_last_30_days: borrow ? borrowed(interestBetween(borrow.units, indexThenE27, pool.indexE27)) : null,
    ltv: ltv === undefined ? null : formatUnits(ltv, 18),
    liquidation_price: price === undefined ? null : formatUnits(price, 18),
    interest_at_term: borrow ? borrowed(interestOver(borrow.units, loan.rateE18, term)) : null,
    repayment_time: dateOf(secondsOf(now) + term).toISOString(),
    price_time: prices.time.toISOString(),
  }
}

/** The debt of a loan in its first second, and the rate that it moves the pool to. */
function loanFrom(pool: LoanPool, units: bigint, rules: PoolRules) {
  const { pool: after, debtShares } = units === 0n ? { pool, debtShares: 0n } : poolAfterLoan(pool, units, rules)
  const { belowE18, aboveE18, targetE18 } = after.rate
  return {
    debt: debtOfShares(debtShares, after.indexE27),
    rateE18: belowE18 + aboveE18,
    targetE18: belowE18 + targetE18,
  }
}

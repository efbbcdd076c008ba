import type { ResponseOf } from '@clearwell/api/routes'
import { formatAmount } from '@clearwell/money/amount'
import { formatUnits } from '@clearwell/money/decimal'
import { liquidationPrice, loanToValue } from '@clearwell/rules/loan'
import { interestDue, timeOfLiquidation, totalDebt } from '@clearwell/rules/loan-order'
import type { LoanPool } from '@clearwell/rules/loan-pool'
import { currentRate } from '@clearwell/rules/pool-rate'
import { dueAt, type RepaymentStop } from '../../platform/ledger/repayment-stop.ts'
import { isOpenLoan, type LoanRow } from './lending.tables.ts'
import { dateOf, debtOf, secondsOf } from './lending-books.ts'
import type { LendingRules } from './lending-parameters.ts'
import type { UsablePrices } from './loan-prices.ts'
import { ratioOf } from './update-loan.ts'

export type LoanItem = ResponseOf<'stakeOrders'>['items'][number]

/** The moment that an order is shown at. */
export interface ItemMoment {
  /** Those of its opening. */
  readonly terms: Pick<LendingRules, 'limits'>
  /** With the index of this moment. */
  readonly pool: LoanPool
  /** `undefined` while money has no price. */
  readonly prices: UsablePrices | undefined
  readonly now: Date
  readonly stop: RepaymentStop | undefined
}

/** The owner's view of an order, to the unit at a time. */
export function loanItem(row: LoanRow, moment: ItemMoment): LoanItem {
  const { collateral_asset: collateralAsset, borrow_asset: borrowAsset } = row
  const debt = debtOf(row)
  const { pool } = moment
  const isOpen = isOpenLoan(row)
  const borrowed = (units: bigint) => formatAmount({ asset: borrowAsset, units })
  return {
    order_id: row.id,
    status: row.status,
    borrow_asset: borrowAsset,
    borrowed_amount: borrowed(isOpen ? row.principal : row.borrowed),
    collateral_asset: collateralAsset,
    collateral_amount: formatAmount({ asset: collateralAsset, units: row.collateral }),
    interest_due: borrowed(interestDue(debt, pool.indexE27)),
    total_debt: borrowed(totalDebt(debt, pool.indexE27)),
    ...(isOpen ? riskOf(row, moment) : ENDED),
    rate: formatUnits(isOpen ? currentRate(pool.rate) : row.opened_rate_e18, 18),
    opened_rate: formatUnits(row.opened_rate_e18, 18),
    repayment_time: dueOf(row, moment).toISOString(),
    created_at: row.created_at.toISOString(),
    ...(isOpen ? {} : { ended_at: row.status_at.toISOString() }),
    ...(row.repaid === null || row.interest_paid === null
      ? {}
      : { repaid: borrowed(row.repaid), interest_paid: borrowed(row.interest_paid) }),
  }
}

/** An order that has ended keeps its repayment time. */
function dueOf(row: LoanRow, { stop, now }: ItemMoment): Date {
  return isOpenLoan(row) ? dueAt(row.repayment_time, stop, now) : row.repayment_time
}

const ENDED = { ltv: null, liquidation_price: null, estimated_liquidation_time: null }

function riskOf(
  row: LoanRow,
  moment: ItemMoment,
): Pick<LoanItem, 'ltv' | 'liquidation_price' | 'estimated_liquidation_time'> {
  const {
    terms: { limits },
    pool,
    prices,
    now,
  } = moment
  const owed = totalDebt(debtOf(row), pool.indexE27)
  const price = liquidationPrice(owed, row.collateral, limits)
  const known = { liquidation_price: price === undefined ? null : formatUnits(price, 18) }
  if (!prices) return { ...ENDED, ...known }
  const ltv = loanToValue(owed, row.collateral, prices.worse)
  const reached = timeOfLiquidation(
    ratioOf(row),
    { limitBps: limits.liquidationBps, prices: prices.better, repaymentTime: secondsOf(dueOf(row, moment)) },
    { now: secondsOf(now), indexE27: pool.indexE27, rateE18: currentRate(pool.rate) },
  )
  return {
    ...known,
    ltv: ltv === undefined ? null : formatUnits(ltv, 18),
    estimated_liquidation_time: dateOf(reached).toISOString(),
  }
}

import type { ResponseOf } from '@clearwell/api/routes'
import { formatAmount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import { minUnits } from '@clearwell/money/min-max'
import {
  interestDue,
  type LoanPrices,
  type LtvLimits,
  liquidationPrice,
  loanToValue,
  timeOfLiquidation,
  totalDebt,
} from '@clearwell/rules/loan'
import { isOpenLoan, type LoanRow } from './lending.tables.ts'
import { dateOf, debtOf, secondsOf } from './lending-books.ts'

export type LoanItem = ResponseOf<'stakeOrders'>['items'][number]

/**
 * The owner's view of an order, to the unit at a time.
 *
 * @param prices `undefined` while a price is out of date.
 */
export function loanItem(
  row: LoanRow,
  { limits, prices, now }: { readonly limits: LtvLimits; readonly prices: LoanPrices | undefined; readonly now: Date },
): LoanItem {
  const [collateralAsset, borrowAsset] = [row.collateral_asset as AssetId, row.borrow_asset as AssetId]
  const debt = debtOf(row)
  const seconds = secondsOf(now)
  const isOpen = isOpenLoan(row)
  const due = isOpen ? interestDue(debt, seconds) : 0n
  const owed = isOpen ? totalDebt(debt, seconds) : 0n
  const borrowed = (units: bigint) => formatAmount({ asset: borrowAsset, units })
  return {
    order_id: row.id,
    status: row.status,
    borrow_asset: borrowAsset,
    borrowed_amount: borrowed(isOpen ? row.principal : row.borrowed),
    collateral_asset: collateralAsset,
    collateral_amount: formatAmount({ asset: collateralAsset, units: row.collateral }),
    interest_due: borrowed(due),
    total_debt: borrowed(owed),
    ...(isOpen ? riskOf(row, { limits, prices, now }) : ENDED),
    rate: formatUnits(row.rate_e18, 18),
    repayment_time: row.repayment_time.toISOString(),
    created_at: row.created_at.toISOString(),
  }
}

const ENDED = { ltv: null, liquidation_price: null, estimated_liquidation_time: null }

function riskOf(
  row: LoanRow,
  { limits, prices, now }: { readonly limits: LtvLimits; readonly prices: LoanPrices | undefined; readonly now: Date },
): Pick<LoanItem, 'ltv' | 'liquidation_price' | 'estimated_liquidation_time'> {
  const debt = debtOf(row)
  const seconds = secondsOf(now)
  const owed = totalDebt(debt, seconds)
  const price = liquidationPrice(owed, row.collateral, limits)
  const known = { liquidation_price: price === undefined ? null : formatUnits(price, 18) }
  if (!prices) return { ...ENDED, ...known }
  const ltv = loanToValue(owed, row.collateral, prices)
  const due = secondsOf(row.repayment_time)
  const reached = timeOfLiquidation(debt, { collateral: row.collateral, prices, limits }, seconds)
  return {
    ...known,
    ltv: ltv === undefined ? null : formatUnits(ltv, 18),
    estimated_liquidation_time: dateOf(reached === undefined ? due : minUnits(reached, due)).toISOString(),
  }
}

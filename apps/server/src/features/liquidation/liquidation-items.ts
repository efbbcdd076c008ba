import type { ResponseOf } from '@clearwell/api/routes'
import { formatAmount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import { hasReached, interestDue, totalDebt } from '@clearwell/rules/loan'
import { type Settlement, type SettlementInputs, settle } from '@clearwell/rules/settlement'
import type { LoanRow } from '../../platform/lending/lending.tables.ts'
import { debtOf, secondsOf } from '../../platform/lending/lending-books.ts'
import type { FreshPrices } from '../../platform/lending/loan-prices.ts'
import type { LiquidationRow } from './liquidation.tables.ts'

const E18 = 10n ** 18n
const fraction = (bps: bigint) => formatUnits(bps, 4)

type MarketItem = ResponseOf<'liquidations'>['items'][number]
type Receipt = ResponseOf<'liquidationReceipt'>

/** The time and the prices that an order is shown at. */
export interface MarketMoment {
  readonly factors: SettlementInputs['rules']
  /** `undefined` while a price is out of date. */
  readonly prices: FreshPrices | undefined
  readonly now: Date
}

/** An order to be cleared as everyone sees it. */
export function marketItem(row: LoanRow, { factors, prices, now }: MarketMoment): MarketItem {
  const [collateral, lending] = [row.collateral_asset as AssetId, row.borrow_asset as AssetId]
  const [debt, at] = [debtOf(row), secondsOf(now)]
  const text = (units: bigint) => formatAmount({ asset: lending, units })
  return {
    order_id: row.id,
    user_address: row.user_id,
    collateral_asset: collateral,
    collateral_amount: formatAmount({ asset: collateral, units: row.collateral }),
    lending_asset: lending,
    lending_amount: text(row.principal),
    interest: text(interestDue(debt, at)),
    total_debt: text(totalDebt(debt, at)),
    repayment_time: row.repayment_time.toISOString(),
    time: now.toISOString(),
    ...(prices ? outcomeOf(row, factors, prices, now) : UNKNOWN),
  }
}

const UNKNOWN = {
  estimated_profit: null,
  price: null,
  price_time: null,
  pays: null,
  receives: null,
  factor: null,
  ltv: null,
}

function outcomeOf(row: LoanRow, rules: SettlementInputs['rules'], prices: FreshPrices, now: Date) {
  const done = settle({
    debt: debtOf(row),
    collateral: row.collateral,
    prices,
    at: secondsOf(now),
    repaymentTime: secondsOf(row.repayment_time),
    rules,
    // The insurance changes nothing for the liquidator.
    insurance: 0n,
  })
  const lending = (units: bigint) => formatAmount({ asset: row.borrow_asset as AssetId, units })
  return {
    estimated_profit: lending(done.profit),
    price: formatUnits(mulDiv(prices.collateral, E18, prices.borrowed, 'down'), 18),
    price_time: prices.time.toISOString(),
    pays: lending(done.paid),
    receives: formatAmount({ asset: row.collateral_asset as AssetId, units: done.received }),
    factor: fraction(done.factorBps),
    ltv: done.ltvE18 === undefined ? null : formatUnits(done.ltvE18, 18),
  }
}

/** Returns whether an order to be cleared has recovered at present prices. The leader judges it within a second. */
export function hasRecovered(row: LoanRow, { factors, prices, now }: MarketMoment): boolean {
  if (!prices || now >= row.repayment_time) return false
  return !hasReached(factors.liquidationBps, totalDebt(debtOf(row), secondsOf(now)), row.collateral, prices)
}

/** A receipt for one of its two sides: the stored inputs, and each step computed from them. */
export function receiptItem(row: LiquidationRow, userId: string): Receipt {
  const [collateral, lending] = [row.collateral_asset as AssetId, row.borrow_asset as AssetId]
  const text = (units: bigint) => formatAmount({ asset: lending, units })
  const ofCollateral = (units: bigint) => formatAmount({ asset: collateral, units })
  const results = {
    factor: fraction(BigInt(row.factor_bps)),
    paid: text(row.paid),
    received: ofCollateral(row.received),
    returned: ofCollateral(row.returned),
    paid_by_insurance: text(row.paid_by_insurance),
    lost_by_pledgers: text(row.lost_by_pledgers),
  }
  const done = settle(inputsOf(row))
  return {
    order_id: row.id,
    side: row.liquidator_id === userId ? 'liquidator' : 'borrower',
    borrower_address: row.borrower_id,
    liquidator_address: row.liquidator_id,
    collateral_asset: collateral,
    lending_asset: lending,
    inputs: {
      collateral_amount: ofCollateral(row.collateral),
      principal: text(row.principal),
      rate: formatUnits(row.rate_e18, 18),
      accrued: row.accrued.toString(),
      accrued_at: row.accrued_at.toISOString(),
      repayment_time: row.repayment_time.toISOString(),
      collateral_price: formatUnits(row.collateral_price, 18),
      lending_price: formatUnits(row.borrow_price, 18),
      price_time: row.price_time.toISOString(),
      ltv_liquidation: fraction(BigInt(row.liquidation_bps)),
      factor_liquidation: fraction(BigInt(row.bonus_bps)),
      factor_overdue: fraction(BigInt(row.overdue_bonus_bps)),
      insurance: text(row.insurance),
    },
    steps: { ...stepsOf(done, { text, ofCollateral }), ...results },
    ...results,
    created_at: row.created_at.toISOString(),
  }
}

function inputsOf(row: LiquidationRow): SettlementInputs {
  return {
    debt: {
      principal: row.principal,
      rateE18: row.rate_e18,
      accrued: row.accrued,
      accruedAt: secondsOf(row.accrued_at),
    },
    collateral: row.collateral,
    prices: { collateral: row.collateral_price, borrowed: row.borrow_price },
    at: secondsOf(row.created_at),
    repaymentTime: secondsOf(row.repayment_time),
    rules: {
      liquidationBps: BigInt(row.liquidation_bps),
      bonusBps: BigInt(row.bonus_bps),
      overdueBonusBps: BigInt(row.overdue_bonus_bps),
    },
    insurance: row.insurance,
  }
}

/** The steps whose results are not stored. */
function stepsOf(
  done: Settlement,
  {
    text,
    ofCollateral,
  }: { readonly text: (units: bigint) => string; readonly ofCollateral: (units: bigint) => string },
) {
  return {
    interest: text(done.interest),
    total_debt: text(done.debt),
    ltv: done.ltvE18 === undefined ? null : formatUnits(done.ltvE18, 18),
    is_over_limit: done.isOverLimit,
    is_overdue: done.isOverdue,
    owed_collateral: ofCollateral(done.owedCollateral),
    shortfall: text(done.shortfall),
    profit: text(done.profit),
  }
}

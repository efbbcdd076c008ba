import type { ResponseOf } from '@clearwell/api/routes'
import { formatAmount } from '@clearwell/money/amount'
import { formatUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import { E18 } from '@clearwell/money/scale'
import { hasReached } from '@clearwell/rules/loan'
import { interestDue, totalDebt } from '@clearwell/rules/loan-order'
import type { LoanPool } from '@clearwell/rules/loan-pool'
import type { PartRules } from '@clearwell/rules/part-liquidation'
import { type PartInputs, type PartSettlement, settlePart } from '@clearwell/rules/part-settlement'
import type { LoanRow } from '../../domain/lending/lending.tables.ts'
import { debtOf, secondsOf } from '../../domain/lending/lending-books.ts'
import type { UsablePrices } from '../../domain/lending/loan-prices.ts'
import type { LiquidationRow } from './liquidation.tables.ts'

const fraction = (bps: bigint | number) => formatUnits(BigInt(bps), 4)

type MarketItem = ResponseOf<'liquidations'>['items'][number]
type Receipt = ResponseOf<'liquidationReceipt'>['items'][number]

/** The time, the prices and the pool that an order is shown at. */
export interface MarketMoment {
  /** From the terms of the order's opening. */
  readonly rules: PartRules
  /** With the index of this moment. */
  readonly pool: LoanPool
  /** `undefined` while money has no price. */
  readonly prices: UsablePrices | undefined
  readonly now: Date
}

/** An order to be cleared as everyone sees it. */
export function marketItem(row: LoanRow, moment: MarketMoment): MarketItem {
  const { pool, prices, now } = moment
  const { collateral_asset: collateral, borrow_asset: lending } = row
  const debt = debtOf(row)
  const text = (units: bigint) => formatAmount({ asset: lending, units })
  return {
    order_id: row.id,
    user_address: row.user_id,
    collateral_asset: collateral,
    collateral_amount: formatAmount({ asset: collateral, units: row.collateral }),
    lending_asset: lending,
    lending_amount: text(row.principal),
    interest: text(interestDue(debt, pool.indexE27)),
    total_debt: text(totalDebt(debt, pool.indexE27)),
    repayment_time: row.repayment_time.toISOString(),
    time: now.toISOString(),
    ...(prices
      ? outcomeOf(row, moment, prices)
      : { ...UNKNOWN, reason: now >= row.repayment_time ? 'overdue' : 'ltv' }),
  }
}

const UNKNOWN = {
  min_amount: null,
  max_amount: null,
  estimated_profit: null,
  price: null,
  price_time: null,
  pays: null,
  receives: null,
  factor: null,
  ltv: null,
}

/** The most that one payment may end, at these prices. */
function outcomeOf(row: LoanRow, { rules, pool, now }: MarketMoment, prices: UsablePrices) {
  const done = settlePart({
    debt: debtOf(row),
    indexE27: pool.indexE27,
    collateral: row.collateral,
    prices: prices.mean,
    betterPrices: prices.better,
    part: 'most',
    at: secondsOf(now),
    repaymentTime: secondsOf(row.repayment_time),
    rules,
    // The insurance changes nothing for the liquidator.
    insurance: 0n,
  })
  const lending = (units: bigint) => formatAmount({ asset: row.borrow_asset, units })
  const reason: MarketItem['reason'] = done.isOverLimit ? 'ltv' : 'overdue'
  return {
    reason,
    min_amount: lending(done.allowed.parts?.min ?? done.debt),
    max_amount: lending(done.allowed.most),
    estimated_profit: lending(done.profit),
    price: formatUnits(mulDiv(prices.mean.collateral, E18, prices.mean.borrowed, 'down'), 18),
    price_time: prices.time.toISOString(),
    pays: lending(done.paid),
    receives: formatAmount({ asset: row.collateral_asset, units: done.received }),
    factor: fraction(done.factorBps),
    ltv: done.ltvE18 === undefined ? null : formatUnits(done.ltvE18, 18),
  }
}

/** Returns whether an order to be cleared has recovered at present prices. The leader judges it within a second. */
export function hasRecovered(row: LoanRow, { rules, pool, prices, now }: MarketMoment): boolean {
  if (!prices || now >= row.repayment_time) return false
  return !hasReached(rules.liquidationBps, totalDebt(debtOf(row), pool.indexE27), row.collateral, prices.better)
}

/** A receipt for one of its sides: the stored inputs, and each step computed from them. */
export function receiptItem(row: LiquidationRow, userId: string): Receipt {
  const { collateral_asset: collateral, borrow_asset: lending } = row
  const text = (units: bigint) => formatAmount({ asset: lending, units })
  const ofCollateral = (units: bigint) => formatAmount({ asset: collateral, units })
  const results = {
    factor: fraction(row.factor_bps),
    paid: text(row.paid),
    received: ofCollateral(row.received),
    returned: ofCollateral(row.returned),
    paid_by_insurance: text(row.paid_by_insurance),
    lost_by_pledgers: text(row.lost_by_pledgers),
  }
  return {
    liquidation_id: row.id,
    order_id: row.order_id,
    side: row.liquidator_id === userId ? 'liquidator' : 'borrower',
    borrower_address: row.borrower_id,
    liquidator_address: row.liquidator_id,
    collateral_asset: collateral,
    lending_asset: lending,
    inputs: inputTexts(row, { text, ofCollateral }),
    steps: { ...stepsOf(settlePart(inputsOf(row)), { text, ofCollateral }), ...results },
    ...results,
    created_at: row.created_at.toISOString(),
  }
}

/** Formats an amount of one of the two assets. */
interface Texts {
  readonly text: (units: bigint) => string
  readonly ofCollateral: (units: bigint) => string
}

function inputTexts(row: LiquidationRow, { text, ofCollateral }: Texts): Receipt['inputs'] {
  return {
    collateral_amount: ofCollateral(row.collateral),
    principal: text(row.principal),
    debt_shares: formatUnits(row.debt_shares, 18),
    index: formatUnits(row.index_e27, 27),
    amount: text(row.debt_ended),
    repayment_time: row.repayment_time.toISOString(),
    collateral_price: formatUnits(row.collateral_price, 18),
    lending_price: formatUnits(row.borrow_price, 18),
    collateral_price_high: formatUnits(row.collateral_high, 18),
    lending_price_low: formatUnits(row.borrow_low, 18),
    price_time: row.price_time.toISOString(),
    ltv_liquidation: fraction(row.liquidation_bps),
    ltv_whole: fraction(row.whole_bps),
    liquidation_part: fraction(row.part_bps),
    small_order_loans: row.small_order_loans,
    factor_liquidation: fraction(row.bonus_bps),
    factor_overdue: fraction(row.overdue_bonus_bps),
    factor_floor: fraction(row.floor_bps),
    min_loan: text(row.min_loan),
    insurance: text(row.insurance),
  }
}

function inputsOf(row: LiquidationRow): PartInputs {
  return {
    debt: { principal: row.principal, debtShares: row.debt_shares },
    indexE27: row.index_e27,
    collateral: row.collateral,
    prices: { collateral: row.collateral_price, borrowed: row.borrow_price },
    betterPrices: { collateral: row.collateral_high, borrowed: row.borrow_low },
    part: row.debt_ended,
    at: secondsOf(row.created_at),
    repaymentTime: secondsOf(row.repayment_time),
    rules: {
      liquidationBps: BigInt(row.liquidation_bps),
      wholeBps: BigInt(row.whole_bps),
      partBps: BigInt(row.part_bps),
      smallOrderLoans: BigInt(row.small_order_loans),
      bonusBps: BigInt(row.bonus_bps),
      overdueBonusBps: BigInt(row.overdue_bonus_bps),
      floorBps: BigInt(row.floor_bps),
      leastLoan: row.min_loan,
    },
    insurance: row.insurance,
  }
}

/** The steps whose results are not stored. */
function stepsOf(done: PartSettlement, { text, ofCollateral }: Texts) {
  const ratio = (ltvE18: bigint | undefined) => (ltvE18 === undefined ? null : formatUnits(ltvE18, 18))
  return {
    interest: text(done.interest),
    total_debt: text(done.debt),
    ltv: ratio(done.ltvE18),
    is_over_limit: done.isOverLimit,
    is_overdue: done.isOverdue,
    max_amount: text(done.allowed.most),
    debt_ended: text(done.ended),
    interest_ended: text(done.interestEnded),
    principal_ended: text(done.principalEnded),
    by_factor: ofCollateral(done.byFactor),
    by_share: ofCollateral(done.byShare),
    kept: ofCollateral(done.kept),
    shortfall: text(done.shortfall),
    profit: text(done.profit),
    remaining_debt: text(done.after.total),
    ltv_after: ratio(done.after.ltvE18),
    status_after: STATUS_AFTER[done.after.state],
  }
}

const STATUS_AFTER = { liquidated: -1, to_be_cleared: 0, normal: 2 } as const

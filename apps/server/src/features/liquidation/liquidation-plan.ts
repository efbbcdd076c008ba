import type { ResponseOf } from '@clearwell/api/routes'
import { type Context, type RowWrite, type State, write } from '@clearwell/ledger/command'
import { formatAmount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import type { LoanPool, Received } from '@clearwell/rules/loan-pool'
import type { PartSettlement } from '@clearwell/rules/part-settlement'
import {
  endByLiquidation,
  type LoanRow,
  lendingLosses,
  type ToBeClearedLoan,
} from '../../domain/lending/lending.tables.ts'
import { lendingCash, lendingReserve } from '../../domain/lending/lending-accounts.ts'
import type { LendingRules } from '../../domain/lending/lending-parameters.ts'
import type { KnownPrices, UsablePrices } from '../../domain/lending/loan-prices.ts'
import type { LoanPair } from '../../domain/lending/pair-prices.ts'
import { partRulesOf } from '../../domain/lending/part-rules.ts'
import { updateLoan } from '../../domain/lending/update-loan.ts'
import { INSURANCE, userAccount } from '../../platform/ledger/accounts.ts'
import { liquidations } from './liquidation.tables.ts'

export interface LiquidateInput {
  /** The liquidator. */
  readonly userId: string
  readonly orderId: string
  readonly assets: LoanPair
  readonly borrowerId: string
  /** The debt that ends, in base units of the borrowed asset; `'most'` for the most that is allowed. */
  readonly amount: bigint | 'most'
  /** The most that the whole debt may be; absent: any. */
  readonly maxDebt: bigint | undefined
  /** The least collateral that the liquidator accepts; absent: any. */
  readonly minReceived: bigint | undefined
  readonly prices: KnownPrices
  readonly key: string | undefined
}

/** Everything that a liquidation was decided by. */
export interface Liquidated {
  /** With the repayment time that counts. */
  readonly row: ToBeClearedLoan
  readonly terms: LendingRules
  readonly pool: LoanPool
  readonly prices: UsablePrices
  readonly insurance: bigint
  readonly result: PartSettlement
}

/** The order afterwards: ended, or with what is left of it. The borrower is notified of each part. */
export function liquidatedOrder({ row, terms, prices, result }: Liquidated, pool: LoanPool, now: Date): LoanRow {
  const { debt, collateral, state } = result.after
  // An ended order keeps the collateral that it had, for its display.
  if (state === 'liquidated') return { ...endByLiquidation(row, now), is_announced: false }
  // The repayment time of the row has moved already.
  const after = updateLoan(row, { debt, collateral, prices, isByUser: false }, { terms, pool, now, stop: undefined })
  return { ...after, is_part_cleared: true, is_announced: false }
}

/** The inputs and the results: the receipt of both sides. */
export function receiptOf(
  { userId, assets }: LiquidateInput,
  { row, terms, prices, insurance, result, pool, context }: Liquidated & { readonly context: Context },
) {
  const rules = partRulesOf(terms, assets.borrowed)
  return write(liquidations, {
    id: context.id('liquidation'),
    order_id: row.id,
    borrower_id: row.user_id,
    liquidator_id: userId,
    collateral_asset: assets.collateral,
    borrow_asset: assets.borrowed,
    collateral: row.collateral,
    principal: row.principal,
    debt_shares: row.debt_shares,
    index_e27: pool.indexE27,
    debt_ended: result.ended,
    repayment_time: row.repayment_time,
    collateral_price: prices.mean.collateral,
    borrow_price: prices.mean.borrowed,
    collateral_high: prices.better.collateral,
    borrow_low: prices.better.borrowed,
    price_time: prices.time,
    liquidation_bps: Number(rules.liquidationBps),
    whole_bps: Number(rules.wholeBps),
    part_bps: Number(rules.partBps),
    small_order_loans: Number(rules.smallOrderLoans),
    bonus_bps: Number(rules.bonusBps),
    overdue_bonus_bps: Number(rules.overdueBonusBps),
    floor_bps: Number(rules.floorBps),
    min_loan: rules.leastLoan,
    insurance,
    is_over_limit: result.isOverLimit,
    is_overdue: result.isOverdue,
    factor_bps: Number(result.factorBps),
    paid: result.paid,
    received: result.received,
    returned: result.returned,
    paid_by_insurance: result.paidByInsurance,
    lost_by_pledgers: result.lostByPledgers,
    created_at: context.now,
  })
}

/** Adds bad debt to the sums that everyone sees before a pledge. */
export function lossesOf(
  asset: AssetId,
  { result, state, context }: Liquidated & { readonly state: State; readonly context: Context },
): RowWrite[] {
  if (result.shortfall === 0n) return []
  const before = state.row(lendingLosses, asset)
  const losses = {
    id: asset,
    paid_by_insurance: (before?.paid_by_insurance ?? 0n) + result.paidByInsurance,
    lost_by_pledgers: (before?.lost_by_pledgers ?? 0n) + result.lostByPledgers,
    last_at: context.now,
  }
  return [write(lendingLosses, losses)]
}

export function postingsOf(
  { userId, assets: { collateral, borrowed } }: LiquidateInput,
  { user_id: borrowerId }: LoanRow,
  result: PartSettlement,
  { reserve, insurance }: Omit<Received, 'pool'>,
) {
  const arrived = result.paid + result.paidByInsurance
  return [
    { account: userAccount(userId, 'available'), asset: borrowed, units: -result.paid },
    { account: INSURANCE, asset: borrowed, units: insurance - result.paidByInsurance },
    { account: lendingCash(borrowed), asset: borrowed, units: arrived - reserve - insurance },
    { account: lendingReserve(borrowed), asset: borrowed, units: reserve },
    { account: userAccount(borrowerId, 'collateral'), asset: collateral, units: -(result.received + result.returned) },
    { account: userAccount(userId, 'available'), asset: collateral, units: result.received },
    { account: userAccount(borrowerId, 'available'), asset: collateral, units: result.returned },
  ].filter(({ units }) => units !== 0n)
}

export function responseOf(
  { assets: { collateral, borrowed } }: LiquidateInput,
  { result, after, id }: { readonly result: PartSettlement; readonly after: LoanRow; readonly id: string },
): ResponseOf<'liquidate'> {
  const text = (units: bigint) => formatAmount({ asset: borrowed, units })
  return {
    liquidation_id: id,
    debt_ended: text(result.ended),
    paid: text(result.paid),
    received: formatAmount({ asset: collateral, units: result.received }),
    profit: text(result.profit),
    remaining_debt: text(result.after.total),
    status: after.status === 1 ? -1 : after.status,
  }
}

import type { ResponseOf } from '@clearwell/api/routes'
import { type Command, type Context, type Plan, type RowWrite, type State, write } from '@clearwell/ledger/command'
import { formatAmount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import { receive } from '@clearwell/rules/lending-pool'
import { accruedAt } from '@clearwell/rules/loan'
import { type Settlement, type SettlementInputs, settle } from '@clearwell/rules/settlement'
import { INSURANCE, lendingCash, lendingReserve, userAccount } from '../../platform/ledger/accounts.ts'
import { refuseWhenStopped, SOLVENCY_BREAKER } from '../../platform/ledger/breaker.ts'
import { members } from '../../platform/ledger/members.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import {
  endByLiquidation,
  LOAN_STATUS,
  type LoanRow,
  lendingLosses,
  loans,
  type ToBeClearedLoan,
} from '../../platform/lending/lending.tables.ts'
import { debtOf, poolKeys, readPool, secondsOf, writePool } from '../../platform/lending/lending-books.ts'
import { type FreshPrices, requireFreshPrices } from '../../platform/lending/loan-prices.ts'
import { liquidations } from './liquidation.tables.ts'

export interface LiquidateInput {
  /** The liquidator. */
  readonly userId: string
  readonly orderId: string
  readonly assets: { readonly collateral: AssetId; readonly borrowed: AssetId }
  readonly borrowerId: string
  /** The most that the liquidator pays, in base units of the borrowed asset. */
  readonly maxDebt: bigint
  /** `undefined` while a price is stale. */
  readonly prices: FreshPrices | undefined
  readonly key: string | undefined
}

export interface LiquidateRules {
  readonly factors: SettlementInputs['rules']
  /** The reserve's part of the interest, in basis points. */
  readonly reserveBps: bigint
}

/** Everything that a liquidation was decided by. */
interface Found {
  readonly row: ToBeClearedLoan
  readonly prices: FreshPrices
  readonly insurance: bigint
  readonly result: Settlement
}

/**
 * Liquidates an order to be cleared: the liquidator pays the debt from `available` and receives collateral, the borrower gets
 * the rest of the collateral back. What the collateral does not cover is paid by `insurance`, and beyond that borne by the
 * pledgers through the value of their shares.
 *
 * The order must have the status "to be cleared", and it is judged again at the prices of the command: one that has recovered is
 * not liquidated.
 *
 * @throws Refusal `not_activated`, `trading_suspended`, `not_found` for the borrower too, `price_out_of_date`, `conflict` for an
 * order that is not to be cleared (any more), `price_moved` over `maxDebt`, `balance_not_enough`.
 */
export function liquidateLoan(rules: LiquidateRules, input: LiquidateInput): Command<ResponseOf<'liquidate'>> {
  const { userId, orderId, assets, borrowerId, maxDebt, key } = input
  const { collateral, borrowed } = assets
  return {
    kind: 'liquidate',
    owner: userId,
    key,
    payload: { orderId, maxDebt: formatAmount({ asset: borrowed, units: maxDebt }) },
    preload: [
      ...poolKeys(borrowed),
      SOLVENCY_BREAKER,
      { table: members, id: userId },
      { table: loans, id: orderId },
      { table: lendingLosses, id: borrowed },
      { account: INSURANCE, asset: borrowed },
      { account: userAccount(userId, 'available'), asset: borrowed },
      { account: userAccount(userId, 'available'), asset: collateral },
      { account: userAccount(borrowerId, 'available'), asset: collateral },
      { account: userAccount(borrowerId, 'collateral'), asset: collateral },
    ],
    decide(state, context) {
      const found = judge(rules, input, { state, context })
      return planLiquidation(rules, input, { state, context, ...found })
    },
  }
}

/** @throws Refusal if the order cannot be liquidated by this user now. */
function judge(
  { factors }: LiquidateRules,
  { userId, orderId, assets, maxDebt, prices: known }: LiquidateInput,
  { state, context }: { readonly state: State; readonly context: Context },
): Found {
  if (!state.row(members, userId)?.activated_at) throw refusal('not_activated')
  refuseWhenStopped(state)
  const row = state.row(loans, orderId)
  if (!row || row.user_id === userId) throw refusal('not_found')
  // Before the price, so that the second liquidator learns it also while a price is stale.
  requireToBeCleared(row)
  const prices = requireFreshPrices(known, context.now)
  const insurance = state.balance(INSURANCE, assets.borrowed)
  const result = settle({
    debt: debtOf(row),
    collateral: row.collateral,
    prices,
    at: secondsOf(context.now),
    repaymentTime: secondsOf(row.repayment_time),
    rules: factors,
    insurance,
  })
  if (!result.isOverdue && !result.isOverLimit) throw refusal('conflict', { reason: 'not_to_be_cleared' })
  if (result.paid > maxDebt)
    throw refusal('price_moved', { total_debt: formatAmount({ asset: assets.borrowed, units: result.paid }) })
  if (state.balance(userAccount(userId, 'available'), assets.borrowed) < result.paid)
    throw refusal('balance_not_enough')
  return { row, prices, insurance, result }
}

/** @throws Refusal `conflict` unless the order is to be cleared. An order that is due is first judged by the leader. */
function requireToBeCleared(row: LoanRow): asserts row is ToBeClearedLoan {
  if (row.status === LOAN_STATUS.toBeCleared) return
  throw refusal('conflict', { reason: row.status === LOAN_STATUS.normal ? 'not_to_be_cleared' : 'already_cleared' })
}

function planLiquidation(
  { factors, reserveBps }: LiquidateRules,
  input: LiquidateInput,
  found: Found & { readonly state: State; readonly context: Context },
): Plan<ResponseOf<'liquidate'>> {
  const { orderId, assets } = input
  const { row, result, state, context } = found
  const { collateral, borrowed } = assets
  const before = readPool(state, borrowed, context.now)
  const payment = {
    rateE18: row.rate_e18,
    principal: row.principal,
    // Exactly what the pool has accrued for this loan, also after the clock went back.
    accrued: accruedAt(debtOf(row), before.pool.accruedAt),
    paid: result.paid + result.paidByInsurance,
  }
  const { pool, reserve } = receive(before.pool, payment, reserveBps)
  const ended = { ...endByLiquidation(row, context.now), is_announced: false }
  const entry = { kind: 'liquidation', reference: orderId, postings: postingsOf(input, row, result, reserve) }
  return {
    entries: [entry],
    rows: [
      write(loans, ended),
      write(liquidations, receiptOf(factors, input, found)),
      writePool(borrowed, { ...before, pool }, context.now),
      ...lossesOf(borrowed, found),
    ],
    response: {
      paid: formatAmount({ asset: borrowed, units: result.paid }),
      received: formatAmount({ asset: collateral, units: result.received }),
      profit: formatAmount({ asset: borrowed, units: result.profit }),
    },
  }
}

/** The inputs and the results: the receipt of both sides. */
function receiptOf(
  factors: LiquidateRules['factors'],
  { userId, orderId, assets }: LiquidateInput,
  { row, prices, insurance, result, context }: Found & { readonly context: Context },
) {
  return {
    id: orderId,
    borrower_id: row.user_id,
    liquidator_id: userId,
    collateral_asset: assets.collateral,
    borrow_asset: assets.borrowed,
    collateral: row.collateral,
    principal: row.principal,
    rate_e18: row.rate_e18,
    accrued: row.accrued,
    accrued_at: row.accrued_at,
    repayment_time: row.repayment_time,
    interest: result.interest,
    collateral_price: prices.collateral,
    borrow_price: prices.borrowed,
    price_time: prices.time,
    liquidation_bps: Number(factors.liquidationBps),
    bonus_bps: Number(factors.bonusBps),
    overdue_bonus_bps: Number(factors.overdueBonusBps),
    factor_bps: Number(result.factorBps),
    insurance,
    paid: result.paid,
    received: result.received,
    returned: result.returned,
    paid_by_insurance: result.paidByInsurance,
    lost_by_pledgers: result.lostByPledgers,
    created_at: context.now,
  }
}

/** Adds bad debt to the sums that everyone sees before a pledge. */
function lossesOf(
  asset: AssetId,
  { result, state, context }: Found & { readonly state: State; readonly context: Context },
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

function postingsOf(
  { userId, assets: { collateral, borrowed } }: LiquidateInput,
  { user_id: borrowerId }: LoanRow,
  result: Settlement,
  reserve: bigint,
) {
  const arrived = result.paid + result.paidByInsurance
  return [
    { account: userAccount(userId, 'available'), asset: borrowed, units: -result.paid },
    { account: INSURANCE, asset: borrowed, units: -result.paidByInsurance },
    { account: lendingCash(borrowed), asset: borrowed, units: arrived - reserve },
    { account: lendingReserve(borrowed), asset: borrowed, units: reserve },
    { account: userAccount(borrowerId, 'collateral'), asset: collateral, units: -(result.received + result.returned) },
    { account: userAccount(userId, 'available'), asset: collateral, units: result.received },
    { account: userAccount(borrowerId, 'available'), asset: collateral, units: result.returned },
  ].filter(({ units }) => units !== 0n)
}

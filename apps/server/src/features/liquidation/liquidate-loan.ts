import type { ResponseOf } from '@clearwell/api/routes'
import { type Command, type Context, type Plan, type State, write } from '@clearwell/ledger/command'
import { formatAmount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import { type LendingPool, receive } from '@clearwell/rules/lending-pool'
import {
  coverShortfall,
  type Liquidation,
  type LiquidationRules,
  liquidate,
  liquidationProfit,
} from '@clearwell/rules/liquidation'
import { accruedAt, interestDue, isLiquidatable, totalDebt } from '@clearwell/rules/loan'
import { INSURANCE, lendingCash, lendingReserve, userAccount } from '../../platform/ledger/accounts.ts'
import { refuseWhenStopped, SOLVENCY_BREAKER } from '../../platform/ledger/breaker.ts'
import { members } from '../../platform/ledger/members.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import { LOAN_STATUS, type LoanRow, loans } from '../../platform/lending/lending.tables.ts'
import { debtOf, type PoolNow, poolKeys, readPool, secondsOf, writePool } from '../../platform/lending/lending-books.ts'
import { type FreshPrices, refuseOldPrices } from '../../platform/lending/loan-prices.ts'
import { liquidations } from './liquidation.tables.ts'

export interface LiquidateInput {
  /** The liquidator. */
  readonly userId: string
  readonly orderId: string
  readonly assets: { readonly collateral: AssetId; readonly borrowed: AssetId }
  readonly borrowerId: string
  /** The most that the liquidator pays, in base units of the borrowed asset. */
  readonly maxDebt: bigint
  readonly prices: FreshPrices
  readonly key: string | undefined
}

/** Everything that a liquidation was decided by. */
interface Found {
  readonly row: LoanRow
  readonly interest: bigint
  readonly result: Liquidation
  readonly before: PoolNow
}

/**
 * Liquidates an order to be cleared: the liquidator pays the debt from `available` and receives collateral, the borrower gets
 * the rest of the collateral back. What the collateral does not cover is paid by `insurance`, and beyond that borne by the
 * pledgers through the value of their shares.
 *
 * The order is judged at the prices of the command: one that has recovered is not liquidated.
 *
 * @throws Refusal `not_activated`, `trading_suspended`, `price_out_of_date`, `not_found` for the borrower too, `conflict` for an
 * order that is not to be cleared (any more), `price_moved` over `maxDebt`, `balance_not_enough`.
 */
export function liquidateLoan(
  rules: LiquidationRules & { readonly reserveBps: bigint },
  input: LiquidateInput,
): Command<ResponseOf<'liquidate'>> {
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
  rules: LiquidationRules,
  { userId, orderId, assets, maxDebt, prices }: LiquidateInput,
  { state, context }: { readonly state: State; readonly context: Context },
): Found {
  if (!state.row(members, userId)?.activated_at) throw refusal('not_activated')
  refuseWhenStopped(state)
  refuseOldPrices(prices, context.now)
  const row = state.row(loans, orderId)
  if (!row || row.user_id === userId) throw refusal('not_found')
  const now = secondsOf(context.now)
  const debt = totalDebt(debtOf(row), now)
  const isDue = context.now >= row.repayment_time || isLiquidatable(rules, debt, row.collateral, prices)
  const isOpen = row.status === LOAN_STATUS.normal || row.status === LOAN_STATUS.toBeCleared
  if (!isOpen || !isDue) throw refusal('conflict', { reason: isOpen ? 'not_to_be_cleared' : 'already_cleared' })
  const result = liquidate({ debt, collateral: row.collateral }, prices, rules)
  const text = (units: bigint) => formatAmount({ asset: assets.borrowed, units })
  if (result.paid > maxDebt) throw refusal('price_moved', { total_debt: text(result.paid) })
  if (state.balance(userAccount(userId, 'available'), assets.borrowed) < result.paid)
    throw refusal('balance_not_enough')
  return {
    row,
    interest: interestDue(debtOf(row), now),
    result,
    before: readPool(state, assets.borrowed, context.now),
  }
}

function planLiquidation(
  rules: LiquidationRules & { readonly reserveBps: bigint },
  input: LiquidateInput,
  found: Found & { readonly state: State; readonly context: Context },
): Plan<ResponseOf<'liquidate'>> {
  const { userId, orderId, assets, prices } = input
  const { row, interest, result, before, state, context } = found
  const { collateral, borrowed } = assets
  const cover = coverShortfall(result.shortfall, state.balance(INSURANCE, borrowed))
  const payment = {
    rateE18: row.rate_e18,
    principal: row.principal,
    accrued: accruedAt(debtOf(row), secondsOf(context.now)),
    paid: result.paid + cover.insurance,
  }
  const { pool, reserve } = receive(before.pool, payment, rules.reserveBps)
  const receipt = {
    id: orderId,
    borrower_id: row.user_id,
    liquidator_id: userId,
    collateral_asset: collateral,
    borrow_asset: borrowed,
    collateral: row.collateral,
    principal: row.principal,
    interest,
    collateral_price: prices.collateral,
    borrow_price: prices.borrowed,
    price_time: prices.time,
    liquidation_bps: Number(rules.liquidationBps),
    factor_bps: Number(result.factorBps),
    paid: result.paid,
    received: result.received,
    returned: result.returned,
    paid_by_insurance: cover.insurance,
    lost_by_pledgers: cover.pledgers,
    created_at: context.now,
  }
  const ended: LoanRow = { ...row, status: LOAN_STATUS.liquidated, status_at: context.now, is_announced: false }
  const entry = {
    kind: 'liquidation',
    reference: orderId,
    postings: postingsOf(input, row, { result, cover, reserve }),
  }
  return {
    entries: [entry],
    rows: [write(loans, ended), write(liquidations, receipt), writeBack(borrowed, before, pool, context.now)],
    response: {
      paid: formatAmount({ asset: borrowed, units: result.paid }),
      received: formatAmount({ asset: collateral, units: result.received }),
      profit: formatAmount({ asset: borrowed, units: liquidationProfit(result, prices) }),
    },
  }
}

function writeBack(asset: AssetId, before: PoolNow, pool: LendingPool, now: Date) {
  return writePool(asset, { ...before, pool }, now)
}

function postingsOf(
  { userId, assets: { collateral, borrowed } }: LiquidateInput,
  { user_id: borrowerId }: LoanRow,
  {
    result,
    cover,
    reserve,
  }: { readonly result: Liquidation; readonly cover: { readonly insurance: bigint }; readonly reserve: bigint },
) {
  const arrived = result.paid + cover.insurance
  return [
    { account: userAccount(userId, 'available'), asset: borrowed, units: -result.paid },
    { account: INSURANCE, asset: borrowed, units: -cover.insurance },
    { account: lendingCash(borrowed), asset: borrowed, units: arrived - reserve },
    { account: lendingReserve(borrowed), asset: borrowed, units: reserve },
    { account: userAccount(borrowerId, 'collateral'), asset: collateral, units: -(result.received + result.returned) },
    { account: userAccount(userId, 'available'), asset: collateral, units: result.received },
    { account: userAccount(borrowerId, 'available'), asset: collateral, units: result.returned },
  ].filter(({ units }) => units !== 0n)
}

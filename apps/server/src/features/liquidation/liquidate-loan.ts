import type { ResponseOf } from '@clearwell/api/routes'
import { type Command, type Context, type Plan, type State, write } from '@clearwell/ledger/command'
import { formatAmount } from '@clearwell/money/amount'
import { minUnits } from '@clearwell/money/min-max'
import { receive } from '@clearwell/rules/loan-pool'
import { checkPart } from '@clearwell/rules/part-liquidation'
import { settlePart } from '@clearwell/rules/part-settlement'
import { borrowerKey, changeBorrower } from '../../domain/lending/borrower-books.ts'
import {
  LOAN_STATUS,
  type LoanRow,
  lendingLosses,
  loans,
  type ToBeClearedLoan,
} from '../../domain/lending/lending.tables.ts'
import { poolKeys, poolRulesOf, readPool, secondsOf, writePool } from '../../domain/lending/lending-books.ts'
import { type LendingRules, readTerms } from '../../domain/lending/lending-parameters.ts'
import { requireUsablePrices } from '../../domain/lending/loan-prices.ts'
import { partRulesOf } from '../../domain/lending/part-rules.ts'
import { indexKeys, moveInIndex } from '../../domain/lending/ratio-books.ts'
import { members, requireActivated } from '../../domain/members/members.ts'
import { INSURANCE, userAccount } from '../../platform/ledger/accounts.ts'
import { refuseWhenStopped, SOLVENCY_BREAKER } from '../../platform/ledger/breaker.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import { dueAt, REPAYMENT_STOP, readStop } from '../../platform/ledger/repayment-stop.ts'
import {
  type Liquidated,
  type LiquidateInput,
  liquidatedOrder,
  lossesOf,
  postingsOf,
  receiptOf,
  responseOf,
} from './liquidation-plan.ts'

/**
 * Liquidates an order to be cleared, or a part of it: the liquidator pays from `available` and receives collateral. What the collateral
 * does not cover is paid by `insurance`, and beyond that borne by the pledgers. When no debt is left, the borrower gets the rest of the
 * collateral back.
 *
 * The order must have the status "to be cleared", and it is judged again at the prices of the command: one that has recovered is
 * not liquidated.
 *
 * @throws Refusal `not_activated`, `trading_suspended`, `not_found` for the borrower too, `price_out_of_date`, `conflict` for an
 * order that is not to be cleared (any more), `amount_out_of_range` with the allowed bounds, `price_moved` over `maxDebt` or under
 * `minReceived`, `balance_not_enough`.
 */
export function liquidateLoan(rules: LendingRules, input: LiquidateInput): Command<ResponseOf<'liquidate'>> {
  const { userId, orderId, assets, borrowerId, amount, maxDebt, minReceived, key } = input
  const { collateral, borrowed } = assets
  const text = (units: bigint | undefined) => (units === undefined ? null : formatAmount({ asset: borrowed, units }))
  return {
    kind: 'liquidate',
    owner: userId,
    key,
    payload: {
      orderId,
      amount: amount === 'most' ? amount : text(amount),
      maxDebt: text(maxDebt),
      minReceived: minReceived === undefined ? null : formatAmount({ asset: collateral, units: minReceived }),
    },
    preload: [
      ...poolKeys(borrowed),
      ...indexKeys(collateral, borrowed),
      borrowerKey(borrowed, borrowerId),
      SOLVENCY_BREAKER,
      REPAYMENT_STOP,
      { table: members, id: userId },
      { table: loans, id: orderId },
      { table: lendingLosses, id: borrowed },
      { account: userAccount(userId, 'available'), asset: borrowed },
      { account: userAccount(userId, 'available'), asset: collateral },
      { account: userAccount(borrowerId, 'available'), asset: collateral },
      { account: userAccount(borrowerId, 'collateral'), asset: collateral },
    ],
    decide(state, context) {
      const found = judge(input, { state, context })
      checkWish(input, { ...found, state })
      return planLiquidation(rules, input, { state, context, ...found })
    },
  }
}

/** @throws Refusal if this user cannot liquidate the order now. */
function judge(
  { userId, orderId, assets, amount, prices: known }: LiquidateInput,
  { state, context }: { readonly state: State; readonly context: Context },
): Liquidated {
  requireActivated(state, userId)
  refuseWhenStopped(state)
  const stored = state.row(loans, orderId)
  if (!stored || stored.user_id === userId) throw refusal('not_found')
  // Before the price, so that the second liquidator learns it also while there is no price.
  requireToBeCleared(stored)
  const row = { ...stored, repayment_time: dueAt(stored.repayment_time, readStop(state), context.now) }
  const prices = requireUsablePrices(known, context.now)
  const terms = readTerms(state, row.terms_version)
  const pool = readPool(state, assets.borrowed, context.now)
  const insurance = state.balance(INSURANCE, assets.borrowed)
  const inputs = {
    debt: { principal: row.principal, debtShares: row.debt_shares },
    indexE27: pool.indexE27,
    collateral: row.collateral,
    prices: prices.mean,
    betterPrices: prices.better,
    at: secondsOf(context.now),
    repaymentTime: secondsOf(row.repayment_time),
    rules: partRulesOf(terms, assets.borrowed),
    insurance,
  }
  const most = settlePart({ ...inputs, part: 'most' })
  if (!most.isOverdue && !most.isOverLimit) throw refusal('conflict', { reason: 'not_to_be_cleared' })
  const part = amount === 'most' ? most.ended : minUnits(amount, most.debt)
  if (part !== most.ended) {
    const refused = checkPart(part, most.debt, most.allowed)
    if (refused) {
      const text = (units: bigint) => formatAmount({ asset: assets.borrowed, units })
      throw refusal('amount_out_of_range', { min: text(refused.min), max: text(refused.max), reason: refused.reason })
    }
  }
  return { row, terms, pool, prices, insurance, result: settlePart({ ...inputs, part }) }
}

/** @throws Refusal if the debt, the collateral or the balance is not what the liquidator accepts. */
function checkWish(
  { userId, assets, maxDebt, minReceived }: LiquidateInput,
  { result, state }: Liquidated & { readonly state: State },
): void {
  if (maxDebt !== undefined && result.debt > maxDebt)
    throw refusal('price_moved', { total_debt: formatAmount({ asset: assets.borrowed, units: result.debt }) })
  if (minReceived !== undefined && result.received < minReceived)
    throw refusal('price_moved', { received: formatAmount({ asset: assets.collateral, units: result.received }) })
  if (state.balance(userAccount(userId, 'available'), assets.borrowed) < result.paid)
    throw refusal('balance_not_enough')
}

/** @throws Refusal `conflict` unless the order is to be cleared. An order that is due is first judged by the leader. */
function requireToBeCleared(row: LoanRow): asserts row is ToBeClearedLoan {
  if (row.status === LOAN_STATUS.toBeCleared) return
  throw refusal('conflict', { reason: row.status === LOAN_STATUS.normal ? 'not_to_be_cleared' : 'already_cleared' })
}

function planLiquidation(
  rules: LendingRules,
  input: LiquidateInput,
  found: Liquidated & { readonly state: State; readonly context: Context },
): Plan<ResponseOf<'liquidate'>> {
  const { borrowed } = input.assets
  const { row, result, pool: before, state, context } = found
  const poolRules = poolRulesOf(rules, borrowed)
  const ended = {
    principal: result.principalEnded,
    debtShares: result.debtSharesEnded,
    paid: result.paid + result.paidByInsurance,
  }
  const received = receive(before, ended, poolRules.reserveBps)
  const { pool } = received
  const after = liquidatedOrder(found, pool, context.now)
  const isOver = after.status === LOAN_STATUS.liquidated
  const change = { debtShares: -ended.debtShares, orders: isOver ? -1 : 0, indexE27: pool.indexE27 }
  const receipt = receiptOf(input, found)
  return {
    entries: [{ kind: 'liquidation', reference: row.id, postings: postingsOf(input, row, result, received) }],
    rows: [
      write(loans, after),
      receipt,
      writePool(poolRules, pool),
      ...changeBorrower(state, { asset: borrowed, userId: row.user_id }, change, context),
      ...moveInIndex(state, [{ before: row, after }]),
      ...lossesOf(borrowed, found),
    ],
    response: responseOf(input, { result, after, id: receipt.row.id }),
  }
}

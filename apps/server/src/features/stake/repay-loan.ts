import { type Command, type Context, type Plan, write } from '@clearwell/ledger/command'
import type { AssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import { receive } from '@clearwell/rules/lending-pool'
import { type Repayment, repay, totalDebt } from '@clearwell/rules/loan'
import { lendingCash, lendingReserve, userAccount } from '../../platform/ledger/accounts.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import { completeLoan, type LoanRow, loans, type OpenLoan } from '../../platform/lending/lending.tables.ts'
import { dateOf, debtOf, type PoolNow, poolKeys, readPool, writePool } from '../../platform/lending/lending-books.ts'
import { type LoanItem, loanItem } from '../../platform/lending/loan-item.ts'
import type { FreshPrices } from '../../platform/lending/loan-prices.ts'
import { type JudgeRules, updateLoan } from '../../platform/lending/update-loan.ts'
import { readOpenLoan } from './change-collateral.ts'

export interface RepayInput {
  readonly userId: string
  readonly orderId: string
  /** In base units of the borrowed asset. At most the debt is taken. */
  readonly amount: bigint | 'all'
  readonly key: string | undefined
  /** The assets of the order, which never change. */
  readonly assets: { readonly collateral: AssetId; readonly borrowed: AssetId }
  /** `undefined` while a price is stale. */
  readonly prices: FreshPrices | undefined
}

/**
 * Repays an order from `available`: first interest, then principal. A full repayment completes the order and returns the
 * collateral. Works while everything else is stopped.
 *
 * @throws Refusal `not_found`, `conflict` for an order that has ended, `balance_not_enough`.
 */
export function repayLoan(rules: JudgeRules & { readonly reserveBps: bigint }, input: RepayInput): Command<LoanItem> {
  const { userId, orderId, amount, key, assets } = input
  const available = userAccount(userId, 'available')
  return {
    kind: 'repay_loan',
    owner: userId,
    key,
    payload: { orderId, amount: amount === 'all' ? amount : formatUnits(amount, 18) },
    preload: [
      ...poolKeys(assets.borrowed),
      { table: loans, id: orderId },
      { account: available, asset: assets.borrowed },
      { account: available, asset: assets.collateral },
      { account: userAccount(userId, 'collateral'), asset: assets.collateral },
    ],
    decide(state, context) {
      const row = readOpenLoan(state, userId, orderId)
      const debt = debtOf(row)
      const before = readPool(state, assets.borrowed, context.now)
      // The pool's time, which never goes back: the loan and the pool have accrued the same interest.
      const now = before.pool.accruedAt
      const owed = totalDebt(debt, now)
      const paid = repay(debt, amount === 'all' ? owed : amount, now)
      if (state.balance(available, row.borrow_asset) < paid.interest + paid.principal)
        throw refusal('balance_not_enough')
      return planRepayment(rules, input, { row, paid, before, context })
    },
  }
}

function planRepayment(
  rules: JudgeRules & { readonly reserveBps: bigint },
  { userId, assets, prices }: RepayInput,
  found: { readonly row: OpenLoan; readonly paid: Repayment; readonly before: PoolNow; readonly context: Context },
): Plan<LoanItem> {
  const { limits, reserveBps } = rules
  const { row, paid, before, context } = found
  const { now } = context
  const { borrowed: asset } = assets
  const payment = { rateE18: row.rate_e18, ...paid, paid: paid.interest + paid.principal }
  const { pool, reserve } = receive(before.pool, payment, reserveBps)
  const available = userAccount(userId, 'available')
  const repayment = {
    kind: 'loan_repayment',
    reference: row.id,
    postings: [
      { account: available, asset, units: -payment.paid },
      { account: lendingCash(asset), asset, units: payment.paid - reserve },
      ...(reserve > 0n ? [{ account: lendingReserve(asset), asset, units: reserve }] : []),
    ],
  }
  const isOver = paid.after.principal === 0n && paid.after.accrued === 0n
  const usable = prices && now <= prices.goodUntil ? prices : undefined
  const order = isOver
    ? completed(row, paid.after.accruedAt, now)
    : updateLoan(row, { debt: paid.after, collateral: row.collateral, prices: usable, isByUser: true }, rules, now)
  return {
    entries: [repayment, ...(isOver ? [returnCollateral(row)] : [])],
    rows: [write(loans, order), writePool(asset, { ...before, pool }, now)],
    response: loanItem(order, { limits, prices: usable, now }),
  }
}

function completed(row: OpenLoan, accruedAt: bigint, now: Date): LoanRow {
  const done = {
    principal: 0n,
    accrued: 0n,
    accrued_at: dateOf(accruedAt),
    watch_price: 0n,
    warned: 0,
  }
  return { ...completeLoan(row, now), ...done }
}

function returnCollateral({ id, user_id: userId, collateral_asset: asset, collateral }: LoanRow) {
  return {
    kind: 'collateral_returned',
    reference: id,
    postings: [
      { account: userAccount(userId, 'collateral'), asset, units: -collateral },
      { account: userAccount(userId, 'available'), asset, units: collateral },
    ],
  }
}

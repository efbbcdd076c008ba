import { type Command, type State, write } from '@clearwell/ledger/command'
import { type Amount, formatAmount } from '@clearwell/money/amount'
import { isWithin, leastCollateral, totalDebt } from '@clearwell/rules/loan'
import { userAccount } from '../../platform/ledger/accounts.ts'
import { refuseWhenStopped, SOLVENCY_BREAKER } from '../../platform/ledger/breaker.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import { isOpenLoan, LOAN_STATUS, loans, type OpenLoan } from '../../platform/lending/lending.tables.ts'
import { debtOf, secondsOf } from '../../platform/lending/lending-books.ts'
import { type LoanItem, loanItem } from '../../platform/lending/loan-item.ts'
import { type FreshPrices, requireFreshPrices } from '../../platform/lending/loan-prices.ts'
import { type JudgeRules, updateLoan } from '../../platform/lending/update-loan.ts'

export interface CollateralInput {
  readonly userId: string
  readonly orderId: string
  readonly amount: Amount
  readonly key: string | undefined
}

/**
 * Adds collateral to an open order: `available` → `collateral`. Works while everything else is stopped, and without a price:
 * the order is then judged when there is a price again.
 *
 * @param prices `undefined` while a price is stale.
 * @throws Refusal `not_found`, `conflict` for an order that has ended, `balance_not_enough`.
 */
export function addCollateral(
  rules: JudgeRules,
  { userId, orderId, amount, key }: CollateralInput,
  prices: FreshPrices | undefined,
): Command<LoanItem> {
  const { asset, units } = amount
  const { limits } = rules
  return {
    kind: 'add_collateral',
    owner: userId,
    key,
    payload: { orderId, asset, amount: formatAmount(amount) },
    preload: keysOf({ userId, orderId, asset }),
    decide(state, { now }) {
      const row = readOpenLoan(state, userId, orderId)
      if (state.balance(userAccount(userId, 'available'), asset) < units) throw refusal('balance_not_enough')
      const usable = prices && now <= prices.goodUntil ? prices : undefined
      const collateral = row.collateral + units
      const after = updateLoan(row, { debt: debtOf(row), collateral, prices: usable, isByUser: true }, rules, now)
      return {
        entries: [{ kind: 'collateral_added', reference: orderId, postings: postingsOf(userId, asset, units) }],
        rows: [write(loans, after)],
        response: loanItem(after, { limits, prices: usable, now }),
      }
    },
  }
}

/**
 * Takes collateral back from a normal order, down to the initial limit: `collateral` → `available`.
 *
 * @param known `undefined` while a price is stale.
 * @throws Refusal `not_found`, `trading_suspended`, `price_out_of_date`, `conflict` unless the order is normal,
 * `amount_out_of_range` with the most that can be taken back.
 */
export function removeCollateral(
  rules: JudgeRules,
  { userId, orderId, amount, key }: CollateralInput,
  known: FreshPrices | undefined,
): Command<LoanItem> {
  const { asset, units } = amount
  const { limits } = rules
  return {
    kind: 'remove_collateral',
    owner: userId,
    key,
    payload: { orderId, asset, amount: formatAmount(amount) },
    preload: [...keysOf({ userId, orderId, asset }), SOLVENCY_BREAKER],
    decide(state, { now }) {
      const row = readOpenLoan(state, userId, orderId)
      refuseWhenStopped(state)
      const prices = requireFreshPrices(known, now)
      if (row.status !== LOAN_STATUS.normal || now >= row.repayment_time) throw refusal('conflict')
      const debt = debtOf(row)
      const owed = totalDebt(debt, secondsOf(now))
      const collateral = row.collateral - units
      if (collateral < 0n || !isWithin(limits.initialBps, owed, collateral, prices)) {
        const spare = row.collateral - leastCollateral(owed, prices, limits)
        throw refusal('amount_out_of_range', { max: formatAmount({ asset, units: spare > 0n ? spare : 0n }) })
      }
      const after = updateLoan(row, { debt, collateral, prices, isByUser: true }, rules, now)
      return {
        entries: [{ kind: 'collateral_returned', reference: orderId, postings: postingsOf(userId, asset, -units) }],
        rows: [write(loans, after)],
        response: loanItem(after, { limits, prices, now }),
      }
    },
  }
}

/** @throws Refusal `not_found` unless the order is the user's, `conflict` if it has ended. */
export function readOpenLoan(state: State, userId: string, orderId: string): OpenLoan {
  const row = state.row(loans, orderId)
  if (row?.user_id !== userId) throw refusal('not_found')
  if (!isOpenLoan(row)) throw refusal('conflict')
  return row
}

/** @param units above zero: from the available balance to the collateral. */
function postingsOf(userId: string, asset: string, units: bigint) {
  return [
    { account: userAccount(userId, 'available'), asset, units: -units },
    { account: userAccount(userId, 'collateral'), asset, units },
  ]
}

function keysOf({
  userId,
  orderId,
  asset,
}: {
  readonly userId: string
  readonly orderId: string
  readonly asset: string
}) {
  return [
    { table: loans, id: orderId },
    { account: userAccount(userId, 'available'), asset },
    { account: userAccount(userId, 'collateral'), asset },
  ]
}

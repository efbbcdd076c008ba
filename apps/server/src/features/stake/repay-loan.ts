import type { ResponseOf } from '@clearwell/api/routes'
import { type Command, type Context, type Plan, type State, write } from '@clearwell/ledger/command'
import { transfer } from '@clearwell/ledger/transfer'
import { formatAmount } from '@clearwell/money/amount'
import { formatUnits } from '@clearwell/money/decimal'
import { checkRest } from '@clearwell/rules/loan-limits'
import { type Repayment, repay, totalDebt } from '@clearwell/rules/loan-order'
import { type LoanPool, type Received, receive } from '@clearwell/rules/loan-pool'
import { borrowerKey, changeBorrower } from '../../domain/lending/borrower-books.ts'
import { completeLoan, type LoanRow, loans, type OpenLoan } from '../../domain/lending/lending.tables.ts'
import { lendingCash, lendingReserve } from '../../domain/lending/lending-accounts.ts'
import { debtOf, poolKeys, poolRulesOf, readPool, writePool } from '../../domain/lending/lending-books.ts'
import { type LendingRules, readTerms } from '../../domain/lending/lending-parameters.ts'
import { loanItem } from '../../domain/lending/loan-item.ts'
import { type KnownPrices, usableAt } from '../../domain/lending/loan-prices.ts'
import type { LoanPair } from '../../domain/lending/pair-prices.ts'
import { indexKeys, moveInIndex } from '../../domain/lending/ratio-books.ts'
import { updateLoan } from '../../domain/lending/update-loan.ts'
import { INSURANCE, userAccount } from '../../platform/ledger/accounts.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import { REPAYMENT_STOP, readStop, refuseStopped } from '../../platform/ledger/repayment-stop.ts'
import { readOpenLoan } from './change-collateral.ts'

/** The order after a repayment, with the amount that it took. */
type Repaid = ResponseOf<'repay'>

export interface RepayInput {
  readonly userId: string
  readonly orderId: string
  /** In base units of the borrowed asset. At most the debt is taken. */
  readonly amount: bigint | 'all'
  readonly key: string | undefined
  /** The assets of the order, which never change. */
  readonly assets: LoanPair
  readonly prices: KnownPrices
}

/**
 * Repays an order from `available`: first interest, then principal. A full repayment completes the order and returns the
 * collateral. Works while everything else is stopped, and without a price, until no header was signed for a day.
 *
 * @throws Refusal `trading_suspended` (`no_header_day`), `not_found`, `conflict` for an order that has ended, `balance_not_enough`,
 * `amount_out_of_range` with the largest part (`least_rest`): what remains is nothing or at least the least loan.
 */
export function repayLoan(rules: LendingRules, input: RepayInput): Command<Repaid> {
  const { userId, orderId, amount, key, assets } = input
  const { collateral, borrowed } = assets
  const available = userAccount(userId, 'available')
  return {
    kind: 'repay_loan',
    owner: userId,
    worksStopped: true,
    worksLeaving: 'at_first',
    key,
    payload: { orderId, amount: amount === 'all' ? amount : formatUnits(amount, 18) },
    preload: [
      ...poolKeys(borrowed),
      ...indexKeys(collateral, borrowed),
      borrowerKey(borrowed, userId),
      REPAYMENT_STOP,
      { table: loans, id: orderId },
      { account: available, asset: borrowed },
      { account: available, asset: collateral },
      { account: userAccount(userId, 'collateral'), asset: collateral },
    ],
    decide(state, context) {
      refuseStopped(state)
      const row = readOpenLoan(state, userId, orderId)
      const pool = readPool(state, borrowed, context.now)
      const terms = readTerms(state, row.terms_version)
      const owed = totalDebt(debtOf(row), pool.indexE27)
      const wish = amount === 'all' ? owed : amount
      const rest = checkRest(owed, wish, poolRulesOf(terms, borrowed).minLoan)
      if (rest)
        throw refusal('amount_out_of_range', {
          max: formatAmount({ asset: borrowed, units: rest.max }),
          reason: rest.reason,
        })
      const paid = repay(debtOf(row), wish, pool.indexE27)
      if (state.balance(available, borrowed) < paid.interest + paid.principal) throw refusal('balance_not_enough')
      return planRepayment(rules, input, { row, paid, pool, terms, state, context })
    },
  }
}

function planRepayment(
  rules: LendingRules,
  { userId, assets, prices: known }: RepayInput,
  found: {
    readonly row: OpenLoan
    readonly paid: Repayment
    readonly pool: LoanPool
    readonly terms: LendingRules
    readonly state: State
    readonly context: Context
  },
): Plan<Repaid> {
  const { paid, pool: before, terms, state, context } = found
  const row = { ...found.row, ...countPayment(found.row, paid) }
  const { now } = context
  const { borrowed: asset } = assets
  const poolRules = poolRulesOf(rules, asset)
  const payment = { ...paid, paid: paid.interest + paid.principal }
  const received = receive(before, payment, poolRules.reserveBps)
  const { pool } = received
  const isOver = paid.after.debtShares === 0n
  const prices = usableAt(known, now)
  const moment = { terms, pool, now, stop: readStop(state) }
  const order: LoanRow = isOver
    ? completeLoan(row, now)
    : updateLoan(row, { debt: paid.after, collateral: row.collateral, prices, isByUser: true }, moment)
  const ended = { debtShares: -paid.debtShares, orders: isOver ? -1 : 0, indexE27: pool.indexE27 }
  return {
    entries: [repaymentEntry(row, payment.paid, received), ...(isOver ? [returnCollateral(row)] : [])],
    rows: [
      write(loans, order),
      writePool(poolRules, pool),
      ...changeBorrower(state, { asset, userId }, ended, context),
      ...moveInIndex(state, [{ before: row, after: order }]),
    ],
    response: {
      ...loanItem(order, { ...moment, prices }),
      paid: formatAmount({ asset, units: payment.paid }),
    },
  }
}

/** The sums of the order's repayments with this one. An order from before they were counted has none. */
function countPayment({ repaid, interest_paid: interest }: LoanRow, paid: Repayment) {
  if (repaid === null || interest === null) return {}
  return { repaid: repaid + paid.interest + paid.principal, interest_paid: interest + paid.interest }
}

function repaymentEntry(
  { id, user_id: userId, borrow_asset: asset }: LoanRow,
  paid: bigint,
  { reserve, insurance }: Omit<Received, 'pool'>,
) {
  return {
    kind: 'loan_repayment',
    reference: id,
    postings: [
      { account: userAccount(userId, 'available'), asset, units: -paid },
      { account: lendingCash(asset), asset, units: paid - reserve - insurance },
      { account: lendingReserve(asset), asset, units: reserve },
      { account: INSURANCE, asset, units: insurance },
    ].filter(({ units }) => units !== 0n),
  }
}

function returnCollateral({ id, user_id: userId, collateral_asset: asset, collateral }: LoanRow) {
  return {
    kind: 'collateral_returned',
    reference: id,
    postings: transfer({
      from: userAccount(userId, 'collateral'),
      to: userAccount(userId, 'available'),
      asset,
      units: collateral,
    }),
  }
}

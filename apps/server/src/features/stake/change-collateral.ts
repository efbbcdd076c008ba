import { type Command, type State, type StateKey, write } from '@clearwell/ledger/command'
import { transfer } from '@clearwell/ledger/transfer'
import { type Amount, formatAmount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import { maxUnits } from '@clearwell/money/min-max'
import { isWithin, leastCollateral } from '@clearwell/rules/loan'
import { totalDebt } from '@clearwell/rules/loan-order'
import { isOpenLoan, LOAN_STATUS, loans, type OpenLoan } from '../../domain/lending/lending.tables.ts'
import { debtOf, poolKeys, readPool } from '../../domain/lending/lending-books.ts'
import { readTerms } from '../../domain/lending/lending-parameters.ts'
import { type LoanItem, loanItem } from '../../domain/lending/loan-item.ts'
import { type KnownPrices, requireFreshPrices, usableAt } from '../../domain/lending/loan-prices.ts'
import { indexKeys, moveInIndex } from '../../domain/lending/ratio-books.ts'
import { updateLoan } from '../../domain/lending/update-loan.ts'
import { userAccount } from '../../platform/ledger/accounts.ts'
import { refuseWhenStopped, SOLVENCY_BREAKER } from '../../platform/ledger/breaker.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import { dueAt, REPAYMENT_STOP, readStop, refuseStopped } from '../../platform/ledger/repayment-stop.ts'

export interface CollateralInput {
  readonly userId: string
  readonly orderId: string
  readonly amount: Amount
  /** The borrowed asset of the order, which never changes. */
  readonly borrowAsset: AssetId
  readonly prices: KnownPrices
  readonly key: string | undefined
}

/**
 * Adds collateral to an open order: `available` → `collateral`. Works while everything else is stopped, and without a price:
 * the order is then judged when there is a price again. Stops when no header was signed for a day.
 *
 * @throws Refusal `trading_suspended` (`no_header_day`), `not_found`, `conflict` for an order that has ended, `balance_not_enough`.
 */
export function addCollateral(input: CollateralInput): Command<LoanItem> {
  const { userId, orderId, amount, prices: known, key } = input
  const { asset, units } = amount
  return {
    kind: 'add_collateral',
    owner: userId,
    worksStopped: true,
    worksLeaving: 'at_first',
    key,
    payload: { orderId, asset, amount: formatAmount(amount) },
    preload: keysOf(input),
    decide(state, { now }) {
      refuseStopped(state)
      const row = readOpenLoan(state, userId, orderId)
      if (state.balance(userAccount(userId, 'available'), asset) < units) throw refusal('balance_not_enough')
      const moment = momentOf(state, row, now)
      const prices = usableAt(known, now)
      const collateral = row.collateral + units
      const after = updateLoan(row, { debt: debtOf(row), collateral, prices, isByUser: true }, moment)
      return {
        entries: [{ kind: 'collateral_added', reference: orderId, postings: postingsOf(userId, asset, units) }],
        rows: [write(loans, after), ...moveInIndex(state, [{ before: row, after }])],
        response: loanItem(after, { ...moment, prices }),
      }
    },
  }
}

/**
 * Takes collateral back from a normal order, down to the initial limit of its opening: `collateral` → `available`.
 *
 * @throws Refusal `not_found`, `trading_suspended`, `price_out_of_date`, `conflict` unless the order is normal,
 * `amount_out_of_range` with the most that can be taken back.
 */
export function removeCollateral(input: CollateralInput): Command<LoanItem> {
  const { userId, orderId, amount, prices: known, key } = input
  const { asset, units } = amount
  return {
    kind: 'remove_collateral',
    owner: userId,
    key,
    payload: { orderId, asset, amount: formatAmount(amount) },
    preload: [...keysOf(input), SOLVENCY_BREAKER],
    decide(state, { now }) {
      const row = readOpenLoan(state, userId, orderId)
      refuseWhenStopped(state)
      const prices = requireFreshPrices(known, now)
      const moment = momentOf(state, row, now)
      if (now >= dueAt(row.repayment_time, moment.stop, now)) throw refusal('conflict', { reason: 'loan_overdue' })
      if (row.status !== LOAN_STATUS.normal) throw refusal('conflict', { reason: 'loan_to_be_cleared' })
      const { limits } = moment.terms
      const debt = debtOf(row)
      const owed = totalDebt(debt, moment.pool.indexE27)
      const collateral = row.collateral - units
      // Also where nothing would be left: an open order owes at least a unit.
      if (!isWithin(limits.initialBps, owed, collateral, prices.worse)) {
        const spare = row.collateral - leastCollateral(owed, prices.worse, limits)
        throw refusal('amount_out_of_range', { max: formatAmount({ asset, units: maxUnits(0n, spare) }) })
      }
      const after = updateLoan(row, { debt, collateral, prices, isByUser: true }, moment)
      return {
        entries: [{ kind: 'collateral_returned', reference: orderId, postings: postingsOf(userId, asset, -units) }],
        rows: [write(loans, after), ...moveInIndex(state, [{ before: row, after }])],
        response: loanItem(after, { ...moment, prices }),
      }
    },
  }
}

/** @throws Refusal `not_found` unless the order is the user's, `conflict` if it has ended. */
export function readOpenLoan(state: State, userId: string, orderId: string): OpenLoan {
  const row = state.row(loans, orderId)
  if (row?.user_id !== userId) throw refusal('not_found')
  if (!isOpenLoan(row)) {
    const reason = row.status === LOAN_STATUS.liquidated ? 'loan_liquidated' : 'loan_repaid'
    throw refusal('conflict', { reason })
  }
  return row
}

function momentOf(state: State, row: OpenLoan, now: Date) {
  const terms = readTerms(state, row.terms_version)
  return { terms, pool: readPool(state, row.borrow_asset, now), now, stop: readStop(state) }
}

/** @param units above zero: from the available balance to the collateral. */
function postingsOf(userId: string, asset: string, units: bigint) {
  return transfer({ from: userAccount(userId, 'available'), to: userAccount(userId, 'collateral'), asset, units })
}

function keysOf({ userId, orderId, amount: { asset }, borrowAsset }: CollateralInput): StateKey[] {
  return [
    ...poolKeys(borrowAsset),
    ...indexKeys(asset, borrowAsset),
    REPAYMENT_STOP,
    { table: loans, id: orderId },
    { account: userAccount(userId, 'available'), asset },
    { account: userAccount(userId, 'collateral'), asset },
  ]
}

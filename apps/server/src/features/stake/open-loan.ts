import { type Command, type Context, type Plan, type State, write } from '@clearwell/ledger/command'
import { transfer } from '@clearwell/ledger/transfer'
import { type Amount, formatAmount } from '@clearwell/money/amount'
import { formatUnits } from '@clearwell/money/decimal'
import { debtOfShares } from '@clearwell/rules/borrow-index'
import { isWithin, largestLoan } from '@clearwell/rules/loan'
import { checkCaps } from '@clearwell/rules/loan-limits'
import { debtsOf, type LoanPool, lend, reprice } from '@clearwell/rules/loan-pool'
import { currentRate, rateToNotify } from '@clearwell/rules/pool-rate'
import { borrowerKey, changeBorrower, countOpenOrders, readBorrower } from '../../domain/lending/borrower-books.ts'
import { LOAN_STATUS, loans } from '../../domain/lending/lending.tables.ts'
import { lendingCash } from '../../domain/lending/lending-accounts.ts'
import {
  cashForLoans,
  dateOf,
  poolKeys,
  poolRulesOf,
  readPool,
  returnsKey,
  writePool,
} from '../../domain/lending/lending-books.ts'
import type { LendingRules } from '../../domain/lending/lending-parameters.ts'
import { type LoanItem, loanItem } from '../../domain/lending/loan-item.ts'
import { type KnownPrices, requireFreshPrices, type UsablePrices } from '../../domain/lending/loan-prices.ts'
import { indexKeys, moveInIndex } from '../../domain/lending/ratio-books.ts'
import type { PoolRules } from '../../domain/lending/stake-config.ts'
import { remindersOf, type WatchedLoan, watchOf } from '../../domain/lending/update-loan.ts'
import { members, requireActivated } from '../../domain/members/members.ts'
import { userAccount } from '../../platform/ledger/accounts.ts'
import { refuseWhenStopped, SOLVENCY_BREAKER } from '../../platform/ledger/breaker.ts'
import { refusal } from '../../platform/ledger/refuse.ts'

const DAY_SECONDS = 86_400n

export interface LoanInput {
  readonly userId: string
  readonly collateral: Amount
  readonly borrow: Amount
  readonly termDays: number
  /** The highest rate per year that the user accepts now, at 10^18; absent: any. */
  readonly maxRateE18: bigint | undefined
  readonly prices: KnownPrices
  readonly key: string | undefined
}

/**
 * Opens a loan: collateral moves from `available` to `collateral`, and the pool's cash to `available`. The rate floats: it is that of
 * the pool, and the order keeps the limits of its opening.
 *
 * @throws Refusal `not_activated`, `trading_suspended`, `exceeds_lending_pool` with what the pool has, `too_many_open`,
 * `price_out_of_date`, `balance_not_enough`, `amount_out_of_range` under the least loan, over the initial limit or over a cap,
 * `price_moved` over the highest rate.
 */
export function openLoan(rules: LendingRules, input: LoanInput): Command<LoanItem> {
  const { userId, collateral, borrow, termDays, maxRateE18, key } = input
  return {
    kind: 'open_loan',
    owner: userId,
    key,
    payload: {
      collateral: [collateral.asset, formatAmount(collateral)],
      borrow: [borrow.asset, formatAmount(borrow)],
      termDays,
      maxRate: maxRateE18 === undefined ? null : formatUnits(maxRateE18, 18),
    },
    preload: [
      ...poolKeys(borrow.asset),
      returnsKey(borrow.asset),
      ...rules.pools.map(({ asset }) => borrowerKey(asset, userId)),
      ...indexKeys(collateral.asset, borrow.asset),
      { table: members, id: userId },
      SOLVENCY_BREAKER,
      { account: userAccount(userId, 'available'), asset: collateral.asset },
      { account: userAccount(userId, 'collateral'), asset: collateral.asset },
      { account: userAccount(userId, 'available'), asset: borrow.asset },
    ],
    decide(state, context) {
      requireActivated(state, userId)
      refuseWhenStopped(state)
      const pool = readPool(state, borrow.asset, context.now)
      // Before anything else that is wrong with the loan: the screen checks it first, too.
      const cash = cashForLoans(state, borrow.asset, pool)
      if (cash < borrow.units)
        throw refusal('exceeds_lending_pool', { max: formatAmount({ asset: borrow.asset, units: cash }) })
      const poolRules = poolRulesOf(rules, borrow.asset)
      const prices = checkLoan(rules, input, { state, context, pool, poolRules })
      return planLoan(rules, input, { state, context, pool, poolRules, prices })
    },
  }
}

/** The pool and its rate after a loan from it. */
export function poolAfterLoan(pool: LoanPool, units: bigint, { curve }: Pick<PoolRules, 'curve'>) {
  const { pool: after, debtShares } = lend(pool, units)
  const repriced = reprice(after, curve)
  return { pool: repriced, debtShares, rateE18: currentRate(repriced.rate) }
}

interface Found {
  readonly state: State
  readonly context: Context
  readonly pool: LoanPool
  readonly poolRules: PoolRules
}

/**
 * @returns the prices of the loan.
 * @throws Refusal if the account's orders, the prices or the amounts do not allow the loan.
 */
function checkLoan(
  rules: LendingRules,
  { userId, collateral, borrow, prices: known }: LoanInput,
  { state, context, pool, poolRules }: Found,
): UsablePrices {
  const { limits, caps } = rules
  if (countOpenOrders(state, rules.pools, userId) >= caps.openOrders)
    throw refusal('too_many_open', { max: caps.openOrders })
  const prices = requireFreshPrices(known, context.now)
  const text = (units: bigint) => formatAmount({ asset: borrow.asset, units })
  if (borrow.units < poolRules.minLoan) throw refusal('amount_out_of_range', { min: text(poolRules.minLoan) })
  if (state.balance(userAccount(userId, 'available'), collateral.asset) < collateral.units)
    throw refusal('balance_not_enough')
  if (!isWithin(limits.initialBps, borrow.units, collateral.units, prices.worse))
    throw refusal('amount_out_of_range', { max: text(largestLoan(collateral.units, prices.worse, limits)) })
  const owed = debtOfShares(readBorrower(state, borrow.asset, userId).debt_shares, pool.indexE27)
  const over = checkCaps(borrow.units, { pool: pool.cash + debtsOf(pool), owed }, caps)
  if (over) throw refusal('amount_out_of_range', { max: text(over.max), reason: over.reason })
  return prices
}

function planLoan(
  rules: LendingRules,
  { userId, collateral, borrow, termDays, maxRateE18 }: LoanInput,
  { state, context, pool, poolRules, prices }: Found & { readonly prices: UsablePrices },
): Plan<LoanItem> {
  const { pool: after, debtShares, rateE18 } = poolAfterLoan(pool, borrow.units, poolRules)
  if (maxRateE18 !== undefined && rateE18 > maxRateE18) throw refusal('price_moved', { rate: formatUnits(rateE18, 18) })
  // The pool's time, which never goes back.
  const repaymentTime = { repayment_time: dateOf(pool.accruedAt + BigInt(termDays) * DAY_SECONDS) }
  const opened: WatchedLoan = {
    id: context.id('loan'),
    user_id: userId,
    status: LOAN_STATUS.normal,
    collateral_asset: collateral.asset,
    collateral: collateral.units,
    borrow_asset: borrow.asset,
    borrowed: borrow.units,
    principal: borrow.units,
    debt_shares: debtShares,
    repaid: 0n,
    interest_paid: 0n,
    terms_version: rules.version,
    term_days: termDays,
    created_at: context.now,
    ...repaymentTime,
    status_at: context.now,
    opened_rate_e18: rateE18,
    notify_rate_e18: rateToNotify(rateE18, rules.noticeFromE18),
    rate_reached_e18: null,
    is_part_cleared: false,
    warned: 0,
    // The user has just seen the repayment time.
    reminded: remindersOf(repaymentTime, rules, context.now),
    is_announced: true,
    warning_round: 0,
  }
  const order = { ...opened, ...watchOf(opened, rules, context.now) }
  const owner = { asset: borrow.asset, userId }
  return {
    entries: [{ kind: 'loan', reference: order.id, postings: postingsOf(userId, collateral, borrow) }],
    rows: [
      write(loans, order),
      writePool(poolRules, after),
      ...changeBorrower(state, owner, { debtShares, orders: 1, indexE27: pool.indexE27 }, context),
      ...moveInIndex(state, [{ before: undefined, after: order }]),
    ],
    response: loanItem(order, { terms: rules, pool: after, prices, now: context.now, stop: undefined }),
  }
}

function postingsOf(userId: string, collateral: Amount, borrow: Amount) {
  const available = userAccount(userId, 'available')
  return [
    ...transfer({
      from: available,
      to: userAccount(userId, 'collateral'),
      asset: collateral.asset,
      units: collateral.units,
    }),
    ...transfer({ from: lendingCash(borrow.asset), to: available, asset: borrow.asset, units: borrow.units }),
  ]
}

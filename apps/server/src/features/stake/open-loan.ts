import { type Command, type Context, type Plan, type State, write } from '@clearwell/ledger/command'
import { type Amount, formatAmount } from '@clearwell/money/amount'
import { formatUnits } from '@clearwell/money/decimal'
import { maxUnits } from '@clearwell/money/min-max'
import { borrowRate, type InterestCurve, utilisation } from '@clearwell/rules/interest'
import { lend } from '@clearwell/rules/lending-pool'
import { isWithin, largestLoan } from '@clearwell/rules/loan'
import { lendingCash, userAccount } from '../../platform/ledger/accounts.ts'
import { refuseWhenStopped, SOLVENCY_BREAKER } from '../../platform/ledger/breaker.ts'
import { members } from '../../platform/ledger/members.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import { LOAN_STATUS, loans } from '../../platform/lending/lending.tables.ts'
import { dateOf, type PoolNow, poolKeys, readPool, writePool } from '../../platform/lending/lending-books.ts'
import { type LoanItem, loanItem } from '../../platform/lending/loan-item.ts'
import { type FreshPrices, requireFreshPrices } from '../../platform/lending/loan-prices.ts'
import { type JudgeRules, remindersOf, type WatchedLoan, watchOf } from '../../platform/lending/update-loan.ts'

const DAY_SECONDS = 86_400n

export interface LoanRules extends JudgeRules {
  readonly curve: InterestCurve
  /** The least amount of one loan, in base units of the borrowed asset. */
  readonly minLoan: bigint
}

export interface LoanInput {
  readonly userId: string
  readonly collateral: Amount
  readonly borrow: Amount
  readonly termDays: number
  /** The highest rate per year that the user accepts, at 10^18; absent: any. */
  readonly maxRateE18: bigint | undefined
  /** `undefined` while a price is stale. */
  readonly prices: FreshPrices | undefined
  readonly key: string | undefined
}

/**
 * Opens a loan: collateral moves from `available` to `collateral`, and the pool's cash to `available`. The rate is fixed by the
 * utilisation after the loan, or by the highest one that the pool remembers.
 *
 * @throws Refusal `not_activated`, `trading_suspended`, `price_out_of_date`, `amount_out_of_range` under the least loan or over
 * the initial limit, `balance_not_enough`, `exceeds_lending_pool` with what the pool has, `price_moved` over the highest rate.
 */
export function openLoan(rules: LoanRules, input: LoanInput): Command<LoanItem> {
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
      { table: members, id: userId },
      SOLVENCY_BREAKER,
      { account: userAccount(userId, 'available'), asset: collateral.asset },
      { account: userAccount(userId, 'collateral'), asset: collateral.asset },
      { account: userAccount(userId, 'available'), asset: borrow.asset },
    ],
    decide(state, context) {
      if (!state.row(members, userId)?.activated_at) throw refusal('not_activated')
      refuseWhenStopped(state)
      const before = readPool(state, borrow.asset, context.now)
      // Before anything else that is wrong with the loan: the screen checks it first, too.
      if (before.pool.cash < borrow.units)
        throw refusal('exceeds_lending_pool', { max: formatAmount({ asset: borrow.asset, units: before.pool.cash }) })
      const prices = refuseLoan(rules, input, { state, context })
      const rateE18 = rateOfLoan(rules.curve, before, borrow.units)
      if (maxRateE18 !== undefined && rateE18 > maxRateE18)
        throw refusal('price_moved', { rate: formatUnits(rateE18, 18) })
      return planLoan(rules, input, { context, before, rateE18, prices })
    },
  }
}

/** Computes the rate of a loan: by the utilisation after it, or by the remembered one if that is higher. */
export function rateOfLoan(curve: InterestCurve, { pool, rememberedE18 }: PoolNow, units: bigint): bigint {
  return borrowRate(curve, maxUnits(rememberedE18, utilisation(lend(pool, units, 0n))))
}

/**
 * @returns the prices of the loan.
 * @throws Refusal if the prices or the amounts do not allow the loan.
 */
function refuseLoan(
  { limits, minLoan }: LoanRules,
  { userId, collateral, borrow, prices: known }: LoanInput,
  { state, context }: { readonly state: State; readonly context: Context },
): FreshPrices {
  const prices = requireFreshPrices(known, context.now)
  const range = (bound: 'min' | 'max', units: bigint) =>
    refusal('amount_out_of_range', { [bound]: formatAmount({ asset: borrow.asset, units }) })
  if (borrow.units < minLoan) throw range('min', minLoan)
  if (state.balance(userAccount(userId, 'available'), collateral.asset) < collateral.units)
    throw refusal('balance_not_enough')
  if (!isWithin(limits.initialBps, borrow.units, collateral.units, prices))
    throw range('max', largestLoan(collateral.units, prices, limits))
  return prices
}

function planLoan(
  rules: LoanRules,
  { userId, collateral, borrow, termDays }: LoanInput,
  {
    context,
    before,
    rateE18,
    prices,
  }: {
    readonly context: Context
    readonly before: PoolNow
    readonly rateE18: bigint
    readonly prices: FreshPrices
  },
): Plan<LoanItem> {
  // The pool's time, which never goes back: the loan and the pool accrue the same interest.
  const now = before.pool.accruedAt
  const due = now + BigInt(termDays) * DAY_SECONDS
  const repaymentTime = { repayment_time: dateOf(due) }
  const opened: WatchedLoan = {
    id: context.id('loan'),
    user_id: userId,
    status: LOAN_STATUS.normal,
    collateral_asset: collateral.asset,
    collateral: collateral.units,
    borrow_asset: borrow.asset,
    borrowed: borrow.units,
    principal: borrow.units,
    rate_e18: rateE18,
    accrued: 0n,
    accrued_at: dateOf(now),
    term_days: termDays,
    created_at: context.now,
    ...repaymentTime,
    status_at: context.now,
    warned: 0,
    // The user has just seen the repayment time.
    reminded: remindersOf(repaymentTime, context.now),
    is_announced: true,
    warning_round: 0,
  }
  const order = { ...opened, ...watchOf(opened, rules, { prices, now: context.now }) }
  const available = userAccount(userId, 'available')
  const postings = [
    { account: available, asset: collateral.asset, units: -collateral.units },
    { account: userAccount(userId, 'collateral'), asset: collateral.asset, units: collateral.units },
    { account: lendingCash(borrow.asset), asset: borrow.asset, units: -borrow.units },
    { account: available, asset: borrow.asset, units: borrow.units },
  ]
  const after = { ...before, pool: lend(before.pool, borrow.units, rateE18) }
  return {
    entries: [{ kind: 'loan', reference: order.id, postings }],
    rows: [write(loans, order), writePool(borrow.asset, after, context.now)],
    response: loanItem(order, { limits: rules.limits, prices, now: context.now }),
  }
}

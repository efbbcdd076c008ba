import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import { BPS } from '@clearwell/money/scale'
import { debtOfAllShares, growIndex, RAY, sharesOfLoan } from './borrow-index.ts'
import { utilisation } from './interest.ts'
import { advanceRate, exponentOf, NO_RATE, type PoolRate, type RateCurve, repriceRate } from './pool-rate.ts'

/**
 * A lending pool of one asset. Amounts are in base units, times in seconds since 1970.
 *
 * Pledgers hold shares of the pool, borrowers hold debt shares. One index turns debt shares into debt, so interest accrues for one
 * loan and for a million at the same cost.
 */
export interface LoanPool {
  /** The money that can be borrowed or withdrawn. */
  readonly cash: bigint
  /** Principal of all loans that is not repaid. */
  readonly borrowed: bigint
  /** Debt shares of all open orders. */
  readonly debtShares: bigint
  /** Debt in base units for each debt share, at 10^27. */
  readonly indexE27: bigint
  /**
   * All open debts as they would be at only the part of the rate up to the kink, at 10^27: the pledgers' part. The rest of the debts
   * is interest from above the kink, which belongs to insurance. Never more than the debts.
   */
  readonly belowDebtE27: bigint
  readonly accruedAt: bigint
  /** Shares of all pledges. */
  readonly shares: bigint
  readonly rate: PoolRate
}

/**
 * Shares and value that every pool has in addition to its own, and that belong to no user (OpenZeppelin's `ERC4626` with an
 * offset of 6 decimals). A first pledge can therefore not be made worth less than a unit per share by inflating the pool.
 */
const VIRTUAL_SHARES = 1_000_000n
const VIRTUAL_VALUE = 1n

/** Returns an unused pool. @param cash the balance of its account. */
export function newPool(now: bigint, cash = 0n): LoanPool {
  return {
    cash,
    borrowed: 0n,
    debtShares: 0n,
    indexE27: RAY,
    belowDebtE27: 0n,
    accruedAt: now,
    shares: 0n,
    rate: NO_RATE,
  }
}

/** Grows the debts up to a time. How often it is called changes the index by its rounding only: 10^-27 for each call. */
export function accrue(pool: LoanPool, now: bigint): LoanPool {
  if (now <= pool.accruedAt) return pool
  const seconds = now - pool.accruedAt
  const indexE27 = growIndex(pool.indexE27, exponentOf(pool.rate, seconds))
  return {
    ...pool,
    indexE27,
    belowDebtE27: growBelowDebt(pool, indexE27, seconds),
    rate: advanceRate(pool.rate, seconds),
    accruedAt: now,
  }
}

/** Without a part above the kink, both debts grow by the same factor, so they stay equal to the unit. */
function growBelowDebt(
  { belowDebtE27, debtShares, indexE27, rate }: LoanPool,
  nextE27: bigint,
  seconds: bigint,
): bigint {
  if (rate.aboveE18 === 0n && rate.targetE18 === 0n) return mulDiv(belowDebtE27, nextE27, indexE27, 'down')
  const below = exponentOf({ ...NO_RATE, belowE18: rate.belowE18 }, seconds)
  return minUnits(growIndex(belowDebtE27, below), debtShares * nextE27)
}

/**
 * Sets a pool's rate to its curve. Every command that changes cash or loans ends with it, and so does a change of the parameters.
 * Utilisation counts principal only, so it does not move between commands.
 *
 * @param pool accrued up to now.
 */
export function reprice(pool: LoanPool, curve: RateCurve): LoanPool {
  return { ...pool, rate: repriceRate(pool.rate, curve, utilisation(pool)) }
}

/** Computes all debts of a pool, principal and interest. Rounded down. @param pool accrued up to now. */
export function debtsOf({ debtShares, indexE27 }: LoanPool): bigint {
  return debtOfAllShares(debtShares, indexE27)
}

/** Computes the pledgers' part of all debts: principal, and interest up to the kink. Rounded down. @param pool accrued up to now. */
export function belowDebtsOf({ belowDebtE27 }: LoanPool): bigint {
  return belowDebtE27 / RAY
}

/** The terms of a pool's value, besides the pool itself. */
export interface ShareTerms {
  /** The reserve's part of the interest, in basis points. */
  readonly reserveBps: bigint
  /** The loss of all orders if they were cleared now, in base units: `knownLoss` of `known-loss.ts`. */
  readonly knownLoss: bigint
}

/**
 * Computes the value at which shares are bought: cash and all debts, less the interest from above the kink and the reserve's part of
 * the rest of the interest. So a pledger who raises the rate above the kink earns nothing by it.
 *
 * A known loss does not lower it, so a pledge cannot buy into a recovery or into insurance. Rounded down: a fraction of a unit is paid to
 * no pledger yet.
 *
 * @param pool accrued up to now.
 */
export function valueIn(pool: LoanPool, reserveBps: bigint): bigint {
  const debts = belowDebtsOf(pool)
  // Debts are rounded down together, so they can be a few units below the principal.
  const interest = maxUnits(0n, debts - pool.borrowed)
  return pool.cash + debts - mulDiv(interest, reserveBps, BPS, 'up')
}

/**
 * Computes the value at which shares are paid back: {@link valueIn} less the known loss, and never below 0. So a known loss meets
 * the pledger who leaves.
 *
 * @param pool accrued up to now.
 */
export function valueOut(pool: LoanPool, { reserveBps, knownLoss }: ShareTerms): bigint {
  return maxUnits(0n, valueIn(pool, reserveBps) - knownLoss)
}

/** Computes what shares are paid back at. Rounded down, for the pool. @param pool accrued up to now. */
export function valueOfShares(pool: LoanPool, shares: bigint, terms: ShareTerms): bigint {
  return mulDiv(shares, valueOut(pool, terms) + VIRTUAL_VALUE, pool.shares + VIRTUAL_SHARES, 'down')
}

/** A change of a pledge: the pool afterwards, and the shares that the user gets or gives. */
export interface PledgeChange {
  readonly pool: LoanPool
  readonly shares: bigint
  readonly amount: bigint
}

/**
 * Pledges an amount at the value in. The shares are rounded down, for the pool.
 *
 * @param pool accrued up to now.
 * @returns `'no_value'` if the pool has shares and they are paid back at nothing, `'no_share'` if the amount buys no share.
 */
export function pledge(pool: LoanPool, amount: bigint, terms: ShareTerms): PledgeChange | 'no_value' | 'no_share' {
  if (pool.shares > 0n && valueOut(pool, terms) === 0n) return 'no_value'
  const value = valueIn(pool, terms.reserveBps) + VIRTUAL_VALUE
  const shares = mulDiv(amount, pool.shares + VIRTUAL_SHARES, value, 'down')
  if (shares === 0n) return 'no_share'
  return { pool: { ...pool, cash: pool.cash + amount, shares: pool.shares + shares }, shares, amount }
}

/**
 * Withdraws an amount at the value out, or everything that the shares are worth. The shares that it takes are rounded up, for the
 * pool.
 *
 * @param pool accrued up to now.
 * @param owned the user's shares.
 * @returns `'balance'` if the user has less, `'cash'` if the pool has lent too much of it.
 */
export function unpledge(
  pool: LoanPool,
  { owned, amount }: { readonly owned: bigint; readonly amount: bigint | 'all' },
  terms: ShareTerms,
): PledgeChange | 'balance' | 'cash' {
  const worth = valueOfShares(pool, owned, terms)
  const paid = amount === 'all' ? worth : amount
  if (paid === 0n || paid > worth) return 'balance'
  if (paid > pool.cash) return 'cash'
  const value = valueOut(pool, terms) + VIRTUAL_VALUE
  // Of a pledge that is withdrawn whole, no share stays behind.
  const shares = paid === worth ? owned : mulDiv(paid, pool.shares + VIRTUAL_SHARES, value, 'up')
  return { pool: { ...pool, cash: pool.cash - paid, shares: pool.shares - shares }, shares, amount: paid }
}

/**
 * Lends money: it leaves the cash. The debt shares are rounded up, for the pool.
 *
 * @param pool accrued up to now.
 * @throws RangeError unless the amount is above 0 and the pool has it in cash.
 */
export function lend(pool: LoanPool, amount: bigint): { readonly pool: LoanPool; readonly debtShares: bigint } {
  if (amount <= 0n || amount > pool.cash) throw new RangeError('lend: the amount must be above 0 and within the cash')
  const debtShares = sharesOfLoan(amount, pool.indexE27)
  return {
    pool: {
      ...pool,
      cash: pool.cash - amount,
      borrowed: pool.borrowed + amount,
      debtShares: pool.debtShares + debtShares,
      belowDebtE27: pool.belowDebtE27 + debtShares * pool.indexE27,
    },
    debtShares,
  }
}

/** A part of a debt that ends, whether it was paid or lost. */
export interface EndedDebt {
  /** Principal that the order no longer owes. */
  readonly principal: bigint
  /** Debt shares that the order no longer has. */
  readonly debtShares: bigint
  /** Money that arrives for both: from the borrower, or from the liquidator and insurance. */
  readonly paid: bigint
}

/** A pool after a payment, and the parts of the money that do not stay in it. */
export interface Received {
  readonly pool: LoanPool
  /** The reserve's part of the interest up to the kink. */
  readonly reserve: bigint
  /** The interest from above the kink. */
  readonly insurance: bigint
}

/**
 * Books a repayment, or a part of a debt that a liquidation ended. Money above the principal is interest. The part of it from above the
 * kink goes to insurance: as much of it as of all interest that the pool is owed. Of the rest the reserve takes its part. What does not
 * arrive lowers the value of the pool, and insurance's part of the interest, alike.
 *
 * Both parts are rounded down, for the pledgers.
 *
 * @param pool accrued up to now.
 */
export function receive(pool: LoanPool, ended: EndedDebt, reserveBps: bigint): Received {
  const { principal, debtShares, paid } = ended
  const { above, all } = interestOwed(pool)
  const interest = maxUnits(0n, paid - principal)
  const insurance = all === 0n ? 0n : mulDiv(interest, above, all, 'down')
  const reserve = mulDiv(interest - insurance, reserveBps, BPS, 'down')
  return {
    pool: {
      ...pool,
      cash: pool.cash + paid - reserve - insurance,
      borrowed: pool.borrowed - principal,
      debtShares: pool.debtShares - debtShares,
      belowDebtE27: belowDebtAfter(pool, ended),
    },
    reserve,
    insurance,
  }
}

/** The interest that all orders of a pool owe, and the part of it from above the kink, at 10^27. */
function interestOwed({ borrowed, debtShares, indexE27, belowDebtE27 }: LoanPool): { above: bigint; all: bigint } {
  const debts = debtShares * indexE27
  const principal = borrowed * RAY
  // A debt may be a fraction of a unit below its principal.
  const all = maxUnits(0n, debts - principal)
  return { all, above: minUnits(all, debts - belowDebtE27) }
}

/** The debt that ends takes its principal, and of its interest the same part as of all interest. Rounded down, for insurance. */
function belowDebtAfter(pool: LoanPool, { principal, debtShares }: EndedDebt): bigint {
  const ended = debtShares * pool.indexE27
  const interest = maxUnits(0n, ended - principal * RAY)
  const { above, all } = interestOwed(pool)
  const below = all === 0n ? interest : mulDiv(interest, all - above, all, 'up')
  const rest = pool.belowDebtE27 - (ended - interest) - below
  return maxUnits(0n, minUnits(rest, (pool.debtShares - debtShares) * pool.indexE27))
}

import { maxUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import { debtOfAllShares, growIndex, RAY, sharesOfLoan } from './borrow-index.ts'
import { type InterestCurve, utilisation } from './interest.ts'
import { advanceRate, exponentOf, NO_RATE, type PoolRate, repriceRate } from './pool-rate.ts'

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

const BPS = 10_000n

/** Returns an unused pool. @param cash the balance of its account. */
export function newPool(now: bigint, cash = 0n): LoanPool {
  return { cash, borrowed: 0n, debtShares: 0n, indexE27: RAY, accruedAt: now, shares: 0n, rate: NO_RATE }
}

/** Grows the index up to a time. How often it is called changes the index by its rounding only: 10^-27 for each call. */
export function accrue(pool: LoanPool, now: bigint): LoanPool {
  if (now <= pool.accruedAt) return pool
  const seconds = now - pool.accruedAt
  return {
    ...pool,
    indexE27: growIndex(pool.indexE27, exponentOf(pool.rate, seconds)),
    rate: advanceRate(pool.rate, seconds),
    accruedAt: now,
  }
}

/**
 * Sets a pool's rate to its curve. Every command that changes cash or loans ends with it, and so does a change of the parameters.
 * Utilisation counts principal only, so it does not move between commands.
 *
 * @param pool accrued up to now.
 */
export function reprice(pool: LoanPool, curve: InterestCurve): LoanPool {
  return { ...pool, rate: repriceRate(pool.rate, curve, utilisation(pool)) }
}

/** Computes all debts of a pool, principal and interest. Rounded down. @param pool accrued up to now. */
export function debtsOf({ debtShares, indexE27 }: LoanPool): bigint {
  return debtOfAllShares(debtShares, indexE27)
}

/** The terms of a pool's value, besides the pool itself. */
export interface ShareTerms {
  /** The reserve's part of the interest, in basis points. */
  readonly reserveBps: bigint
  /** The loss of all orders if they were cleared now, in base units: `knownLoss` of `known-loss.ts`. */
  readonly knownLoss: bigint
}

/**
 * Computes the value at which shares are bought: cash and all debts, less the reserve's part of their interest.
 *
 * A known loss does not lower it, so a pledge cannot buy into a recovery or into insurance. Rounded down: a fraction of a unit is paid to
 * no pledger yet.
 *
 * @param pool accrued up to now.
 */
export function valueIn(pool: LoanPool, reserveBps: bigint): bigint {
  const debts = debtsOf(pool)
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

/**
 * Books a repayment, or a part of a debt that a liquidation ended. Money above the principal is interest, of which the reserve takes
 * its part. What does not arrive lowers the value of the pool.
 *
 * The reserve's part is rounded down, for the pledgers.
 *
 * @param pool accrued up to now.
 * @returns the pool, and the reserve's part of the money.
 */
export function receive(
  pool: LoanPool,
  { principal, debtShares, paid }: EndedDebt,
  reserveBps: bigint,
): { readonly pool: LoanPool; readonly reserve: bigint } {
  const reserve = mulDiv(maxUnits(0n, paid - principal), reserveBps, BPS, 'down')
  return {
    pool: {
      ...pool,
      cash: pool.cash + paid - reserve,
      borrowed: pool.borrowed - principal,
      debtShares: pool.debtShares - debtShares,
    },
    reserve,
  }
}

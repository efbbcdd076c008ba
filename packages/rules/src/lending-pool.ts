import { mulDiv } from '@clearwell/money/mul-div'
import { ACCRUED_PER_UNIT } from './interest.ts'

/**
 * A lending pool of one asset. Amounts are in base units, times in seconds since 1970.
 *
 * A pledge is a claim by shares: the pool's value divided by all shares. Interest raises the value, so it raises what each
 * share is worth. The pool accrues the interest of all loans together, from the sum of `principal × rate`, so that the cost
 * does not grow with their number.
 */
export interface LendingPool {
  /** The money that can be borrowed or withdrawn. */
  readonly cash: bigint
  /** Principal of all loans. */
  readonly borrowed: bigint
  /** Sum of `principal × rate` of all loans, with the rate per year at 10^18. */
  readonly rateSum: bigint
  /** Interest that the loans owe until `accruedAt`, times {@link ACCRUED_PER_UNIT}: an exact integer. */
  readonly accrued: bigint
  readonly accruedAt: bigint
  /** Shares of all pledges. */
  readonly shares: bigint
}

/**
 * Shares and value that every pool has in addition to its own, and that belong to no user (OpenZeppelin's `ERC4626` with an
 * offset of 6 decimals). A first pledge can therefore not be made worth less than a unit per share by inflating the pool.
 */
const VIRTUAL_SHARES = 1_000_000n
const VIRTUAL_VALUE = 1n

const BPS = 10_000n

/** Adds the interest of all loans up to a time. Exact, so it does not matter how often it is called. */
export function accrue(pool: LendingPool, now: bigint): LendingPool {
  if (now <= pool.accruedAt) return pool
  return { ...pool, accrued: pool.accrued + pool.rateSum * (now - pool.accruedAt), accruedAt: now }
}

/**
 * Computes the value of all pledges: cash, principal of all loans and the pledgers' part of the interest that is owed.
 *
 * Rounded down: a fraction of a unit is paid to no pledger yet.
 *
 * @param pool accrued up to now.
 * @param reserveBps the reserve's part of the interest, in basis points.
 */
export function valueOfPledges({ cash, borrowed, accrued }: LendingPool, reserveBps: bigint): bigint {
  return cash + borrowed + mulDiv(accrued, BPS - reserveBps, BPS * ACCRUED_PER_UNIT, 'down')
}

/** Computes the value of shares. Rounded down, for the pool. */
export function valueOfShares(pool: LendingPool, shares: bigint, reserveBps: bigint): bigint {
  const value = valueOfPledges(pool, reserveBps) + VIRTUAL_VALUE
  return mulDiv(shares, value, pool.shares + VIRTUAL_SHARES, 'down')
}

/** A change of a pledge: the pool afterwards, and the shares that the user gets or gives. */
export interface PledgeChange {
  readonly pool: LendingPool
  readonly shares: bigint
  readonly amount: bigint
}

/**
 * Pledges an amount. The shares are rounded down, for the pool.
 *
 * @param pool accrued up to now.
 * @returns `undefined` if the amount buys no share.
 */
export function pledge(pool: LendingPool, amount: bigint, reserveBps: bigint): PledgeChange | undefined {
  const value = valueOfPledges(pool, reserveBps) + VIRTUAL_VALUE
  const shares = mulDiv(amount, pool.shares + VIRTUAL_SHARES, value, 'down')
  if (shares === 0n) return undefined
  return { pool: { ...pool, cash: pool.cash + amount, shares: pool.shares + shares }, shares, amount }
}

/**
 * Withdraws an amount, or everything that the shares are worth. The shares that it takes are rounded up, for the pool.
 *
 * @param pool accrued up to now.
 * @param owned the user's shares.
 * @returns `'balance'` if the user has less, `'cash'` if the pool has lent too much of it.
 */
export function unpledge(
  pool: LendingPool,
  {
    owned,
    amount,
    reserveBps,
  }: { readonly owned: bigint; readonly amount: bigint | 'all'; readonly reserveBps: bigint },
): PledgeChange | 'balance' | 'cash' {
  const worth = valueOfShares(pool, owned, reserveBps)
  const paid = amount === 'all' ? worth : amount
  if (paid === 0n || paid > worth) return 'balance'
  if (paid > pool.cash) return 'cash'
  const value = valueOfPledges(pool, reserveBps) + VIRTUAL_VALUE
  // Of a pledge that is withdrawn whole, no share stays behind.
  const shares = paid === worth ? owned : mulDiv(paid, pool.shares + VIRTUAL_SHARES, value, 'up')
  return { pool: { ...pool, cash: pool.cash - paid, shares: pool.shares - shares }, shares, amount: paid }
}

/** Lends money: it leaves the cash. @param rateE18 the loan's rate per year. */
export function lend(pool: LendingPool, principal: bigint, rateE18: bigint): LendingPool {
  return {
    ...pool,
    cash: pool.cash - principal,
    borrowed: pool.borrowed + principal,
    rateSum: pool.rateSum + principal * rateE18,
  }
}

/** A payment of a loan as the pool books it. */
export interface LoanPayment {
  readonly rateE18: bigint
  /** Principal that the loan no longer owes, whether it was paid or lost. */
  readonly principal: bigint
  /** Interest that the loan no longer owes, times {@link ACCRUED_PER_UNIT}, whether it was paid or lost. */
  readonly accrued: bigint
  /** Money that arrives for principal and interest. */
  readonly paid: bigint
}

/**
 * Books a payment of a loan. Money above the principal is interest, of which the reserve takes its part.
 *
 * The reserve's part is rounded down, for the pledgers.
 *
 * @param pool accrued up to now.
 * @returns the pool, and the reserve's part of the money.
 */
export function receive(
  pool: LendingPool,
  { rateE18, principal, accrued, paid }: LoanPayment,
  reserveBps: bigint,
): { readonly pool: LendingPool; readonly reserve: bigint } {
  const interest = paid > principal ? paid - principal : 0n
  const reserve = mulDiv(interest, reserveBps, BPS, 'down')
  return {
    pool: {
      ...pool,
      cash: pool.cash + paid - reserve,
      borrowed: pool.borrowed - principal,
      rateSum: pool.rateSum - principal * rateE18,
      accrued: pool.accrued - accrued,
    },
    reserve,
  }
}

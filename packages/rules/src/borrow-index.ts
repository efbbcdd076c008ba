import { maxUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'

/** Scale of a borrow index: 10^27. A new pool starts with this index. */
export const RAY = 10n ** 27n

/** Scale of the exponent of {@link growIndex}. Nine digits more than an index, so that an index is rounded once. */
export const EXPONENT_SCALE = 10n ** 36n

/**
 * Grows a borrow index: `index × e^exponent`.
 *
 * Interest is compounded continuously, and `e^(a+b) = e^a × e^b`. So it does not matter how often a pool accrues: each accrual
 * adds at most one unit of 10^-27 by its rounding.
 *
 * Rounded up, for the pool. The exponential is the Taylor sum with every term rounded up. The last term counts twice, because it
 * is more than all terms that follow.
 *
 * @param exponentE36 the rate's integral over the time, at 10^36, not below 0.
 */
export function growIndex(indexE27: bigint, exponentE36: bigint): bigint {
  return mulDiv(indexE27, exponential(exponentE36), EXPONENT_SCALE, 'up')
}

function exponential(exponentE36: bigint): bigint {
  let sum = EXPONENT_SCALE
  let term = EXPONENT_SCALE
  for (let n = 1n; ; n++) {
    term = mulDiv(term, exponentE36, EXPONENT_SCALE * n, 'up')
    sum += term
    // Terms are above 0.3 while n is below twice the exponent, so from here on each is at most half of the one before.
    if (term <= 1n) return sum + term
  }
}

/** Computes the debt of one order in base units: `shares × index`. Rounded up, for the pool. */
export function debtOfShares(debtShares: bigint, indexE27: bigint): bigint {
  return mulDiv(debtShares, indexE27, RAY, 'up')
}

/** Computes all debts of a pool in base units: `shares × index`. Rounded down, so that pledgers never own more than there is. */
export function debtOfAllShares(debtShares: bigint, indexE27: bigint): bigint {
  return mulDiv(debtShares, indexE27, RAY, 'down')
}

/** Computes the debt shares of a new loan: `amount ÷ index`. Rounded up, for the pool. */
export function sharesOfLoan(amount: bigint, indexE27: bigint): bigint {
  return mulDiv(amount, RAY, indexE27, 'up')
}

/** Computes the debt shares that a payment ends: `amount ÷ index`. Rounded down, for the pool. */
export function sharesOfPayment(amount: bigint, indexE27: bigint): bigint {
  return mulDiv(amount, RAY, indexE27, 'down')
}

/**
 * Computes the interest of an amount between two readings of a pool's index: what an order of this amount would have cost.
 *
 * Rounded up, against the borrower.
 */
export function interestBetween(amount: bigint, thenE27: bigint, nowE27: bigint): bigint {
  return mulDiv(amount, maxUnits(0n, nowE27 - thenE27), thenE27, 'up')
}

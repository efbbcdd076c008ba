import { maxUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import { BPS } from '@clearwell/money/scale'

/** Why an amount of an order is refused, and the bounds of the amounts that are allowed, in base units. */
export interface AmountRefusal<Reason extends string> {
  readonly reason: Reason
  readonly max: bigint
}

/**
 * Checks what a repayment leaves of a debt: nothing, or at least the least loan.
 *
 * @param debt in base units, rounded up.
 * @param amount of the payment. From the whole debt on it repays everything.
 * @returns `undefined` if it is allowed, else the largest part that is: 0 where only the whole debt can be repaid.
 */
export function checkRest(debt: bigint, amount: bigint, leastLoan: bigint): AmountRefusal<'least_rest'> | undefined {
  if (amount >= debt || debt - amount >= leastLoan) return undefined
  return { reason: 'least_rest', max: maxUnits(0n, debt - leastLoan) }
}

/** How much of a pool an order and an account may take, in basis points of the pool's value. */
export interface PoolCaps {
  readonly orderBps: bigint
  readonly accountBps: bigint
}

/**
 * Checks the size of a new order: a part of the pool's value for the order, and one for all debts of its account. Rounded down,
 * against the borrower.
 *
 * @param pool its value: cash and all debts. Lending does not change it.
 * @param owed all debts of the account in this pool, in base units.
 * @returns `undefined` if the amount is allowed, else the most that is.
 */
export function checkCaps(
  amount: bigint,
  { pool, owed }: { readonly pool: bigint; readonly owed: bigint },
  caps: PoolCaps,
): AmountRefusal<'order_cap' | 'account_cap'> | undefined {
  const { ofOrder, ofAccount } = largestByCaps({ pool, owed }, caps)
  if (amount <= ofOrder && amount <= ofAccount) return undefined
  return ofAccount < ofOrder ? { reason: 'account_cap', max: ofAccount } : { reason: 'order_cap', max: ofOrder }
}

/** Computes the largest new order by each cap. Rounded down. */
export function largestByCaps(
  { pool, owed }: { readonly pool: bigint; readonly owed: bigint },
  { orderBps, accountBps }: PoolCaps,
): { readonly ofOrder: bigint; readonly ofAccount: bigint } {
  return {
    ofOrder: mulDiv(pool, orderBps, BPS, 'down'),
    ofAccount: maxUnits(0n, mulDiv(pool, accountBps, BPS, 'down') - owed),
  }
}

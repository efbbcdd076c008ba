import { type Context, type RowWrite, type State, type StateKey, write } from '@clearwell/ledger/command'
import { debtOfShares } from '@clearwell/rules/borrow-index'
import { borrowerChanges, borrowers } from './lending.tables.ts'

export function borrowerKey(asset: string, userId: string): StateKey {
  return { table: borrowers, id: idOf(asset, userId) }
}

/** The debt of an account to a pool. */
export function readBorrower(state: State, asset: string, userId: string) {
  const id = idOf(asset, userId)
  return state.row(borrowers, id) ?? { id, user_id: userId, asset, debt_shares: 0n, open_orders: 0 }
}

/** Counts the open orders of an account in all pools. */
export function countOpenOrders(state: State, pools: readonly { readonly asset: string }[], userId: string): number {
  return pools.reduce((sum, { asset }) => sum + readBorrower(state, asset, userId).open_orders, 0)
}

/**
 * Changes what an account owes to a pool, and keeps the new debt for the history.
 *
 * @param change.debtShares and @param change.orders above zero when an order is opened.
 */
export function changeBorrower(
  state: State,
  { asset, userId }: { readonly asset: string; readonly userId: string },
  change: { readonly debtShares: bigint; readonly orders: number; readonly indexE27: bigint },
  context: Context,
): RowWrite[] {
  const before = readBorrower(state, asset, userId)
  const debtShares = before.debt_shares + change.debtShares
  const after = { ...before, debt_shares: debtShares, open_orders: before.open_orders + change.orders }
  return [
    write(borrowers, after),
    write(borrowerChanges, {
      id: context.id('borrower'),
      user_id: userId,
      asset,
      debt_shares: debtShares,
      debt: debtOfShares(debtShares, change.indexE27),
      at: context.now,
    }),
  ]
}

function idOf(asset: string, userId: string): string {
  return `${asset}:${userId}`
}

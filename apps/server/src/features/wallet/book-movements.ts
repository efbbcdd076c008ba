import { type Command, type Plan, write } from '@clearwell/ledger/command'
import type { ChainBlock, ChainMovements } from '../../platform/chain/chain.ts'
import { userAccount, VAULT } from '../../platform/ledger/accounts.ts'
import { depositOrders } from '../../platform/ledger/deposit-orders.ts'
import { members } from '../../platform/ledger/members.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import { chainCursors } from './chain-cursors.ts'
import { completeWithdrawal, type UnknownWithdrawal, unknownWithdrawals } from './complete-withdrawal.ts'
import { type CreditRules, creditDeposit, creditedAccount, deposits } from './credit-deposit.ts'
import { draftOn, movementId } from './movement-draft.ts'
import { orderIdOf, withdrawalOrders } from './withdrawal-orders.ts'

/** Where the watcher stands before and after: written together with the bookings, so that neither is without the other. */
export interface CursorMove {
  readonly from: { readonly hash: string } | undefined
  readonly to: ChainBlock
}

/** What a command has booked that was not before. */
export interface Booked {
  /** Payments that are credited now, see {@link movementId}. */
  readonly credited: readonly string[]
  /** Transfers out that are completed now: ids of orders. */
  readonly completed: readonly string[]
  /** Payments of the vault that no order accounts for, each told of once. */
  readonly unknown: readonly UnknownWithdrawal[]
}

/**
 * Books what is confirmed on the chain, each movement once: payments are credited to who sent them, and what the vault
 * has paid completes its order. What no order accounts for is written down and told of, and posts nothing.
 *
 * @param move moves the watcher's cursor; absent when a single transaction is looked up.
 * @throws Refusal `conflict` when the cursor is no longer where the watcher thinks.
 */
export function bookMovements(rules: CreditRules, confirmed: ChainMovements, move?: CursorMove): Command<Booked> {
  const { chainId } = rules
  const cursorId = String(chainId)
  return {
    kind: 'book_movements',
    owner: 'watcher',
    payload: {},
    touches: [
      { table: chainCursors, id: cursorId },
      ...confirmed.deposits.flatMap((deposit) => [
        { table: deposits, id: movementId(chainId, deposit) },
        { account: creditedAccount(rules, deposit), asset: deposit.asset },
        { account: VAULT, asset: deposit.asset },
        { table: members, id: deposit.account },
        ...(deposit.orderId === null ? [] : [{ table: depositOrders, id: deposit.orderId }]),
      ]),
      ...confirmed.withdrawals.flatMap((withdrawal) => [
        { table: withdrawalOrders, id: orderIdOf(withdrawal.nonce) },
        { table: unknownWithdrawals, id: movementId(chainId, withdrawal) },
        { account: userAccount(withdrawal.account, 'locked'), asset: withdrawal.asset },
        { account: VAULT, asset: withdrawal.asset },
      ]),
    ],
    decide(state, context): Plan<Booked> {
      const { draft, entries, rows } = draftOn(state)
      if (move) {
        const cursor = state.row(chainCursors, cursorId)
        if (cursor?.hash !== move.from?.hash) throw refusal('conflict', { reason: 'cursor_moved' })
        const { number, hash, time } = move.to
        draft.add({ rows: [write(chainCursors, { id: cursorId, number, hash, time })] })
      }
      const credited = confirmed.deposits.filter((deposit) => creditDeposit(rules, draft, context, deposit))
      const outcomes = confirmed.withdrawals.map((each) => completeWithdrawal(chainId, draft, context, each))
      return {
        entries,
        rows: [...rows.values()],
        answer: {
          credited: credited.map((deposit) => movementId(chainId, deposit)),
          completed: outcomes.flatMap((each) => ('completed' in each ? [each.completed] : [])),
          unknown: outcomes.flatMap((each) => ('unknown' in each ? [each.unknown] : [])),
        },
      }
    },
  }
}

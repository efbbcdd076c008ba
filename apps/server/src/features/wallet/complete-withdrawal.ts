import { type Context, write } from '@clearwell/ledger/command'
import type { Draft } from '@clearwell/ledger/draft'
import { transfer } from '@clearwell/ledger/transfer'
import type { ChainWithdrawal } from '../../platform/chain/chain.ts'
import type { CompletedOrder, WithdrawalRules } from '../../platform/custody/book-movements.ts'
import { userAccount, VAULT } from '../../platform/ledger/accounts.ts'
import { isOpen, orderIdOf, type WithdrawalRow, withdrawalOrders } from './withdrawal-orders.ts'

/** Connects the watcher to the orders behind the vault's payments. */
export const withdrawalRules: WithdrawalRules = {
  preload: ({ nonce, account, asset }) => [
    { table: withdrawalOrders, id: orderIdOf(nonce) },
    { account: userAccount(account, 'locked'), asset },
  ],
  complete: completeWithdrawal,
}

/**
 * Completes the order that the vault has paid: `locked` → `vault`.
 *
 * Also completes an order that is only locked: the server may crash after signing and before storing the signature.
 */
function completeWithdrawal(
  draft: Draft,
  context: Context,
  paid: ChainWithdrawal,
  countedBy: string | null,
): CompletedOrder {
  const order = draft.row(withdrawalOrders, orderIdOf(paid.nonce))
  if (!order) return { as: 'unknown', reason: 'no order has its nonce', hasOrder: false }
  const unknown = (reason: string): CompletedOrder => ({ as: 'unknown', reason, hasOrder: true })
  if (order.user_id !== paid.account) return unknown(`order ${order.id} is of another account`)
  if (order.asset !== paid.asset || order.amount !== paid.units)
    return unknown(`order ${order.id} is for another amount`)
  if (isOpen(order.status)) {
    complete({ ...order, counted_by: countedBy }, draft, context, paid)
    return { as: 'completed', orderId: order.id }
  }
  // The chain reported the same payment again.
  if (order.status === 'completed' && order.tx_hash === paid.txHash) return { as: 'known' }
  return unknown(`order ${order.id} is ${order.status} already`)
}

function complete(order: WithdrawalRow, draft: Draft, { now }: Context, paid: ChainWithdrawal): void {
  const { asset, units, txHash } = paid
  const postings = transfer({ from: userAccount(order.user_id, 'locked'), to: VAULT, asset, units })
  draft.add({
    entries: [{ kind: 'withdrawal', reference: txHash, postings }],
    rows: [write(withdrawalOrders, { ...order, status: 'completed', tx_hash: txHash, completed_at: now })],
  })
}

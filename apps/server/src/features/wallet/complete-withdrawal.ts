import { type Context, write } from '@clearwell/ledger/command'
import { column, defineTable } from '@clearwell/ledger/table'
import type { ChainWithdrawal } from '../../platform/chain/chain.ts'
import { userAccount, VAULT } from '../../platform/ledger/accounts.ts'
import { type Draft, movementId } from './movement-draft.ts'
import { isOpen, orderIdOf, type WithdrawalRow, withdrawalOrders } from './withdrawal-orders.ts'

/** What the vault has paid and no order accounts for: nothing is posted, and the solvency check sees the difference. */
export const unknownWithdrawals = defineTable('unknown_withdrawals', {
  id: column.text,
  reason: column.text,
  account: column.text,
  asset: column.text,
  units: column.units,
  nonce: column.units,
  tx_hash: column.text,
  block_number: column.units,
  seen_at: column.time,
})

export interface UnknownWithdrawal {
  readonly id: string
  /** Why no order accounts for it, in words for the operator. */
  readonly reason: string
}

/**
 * Completes the order that the vault has paid: `locked` → `vault`.
 *
 * An order that is only locked completes as well: its signature was made, and the server was killed before it was kept.
 *
 * @returns the order, or why no order accounts for it; nothing where either was written down before.
 */
export function completeWithdrawal(
  chainId: number,
  draft: Draft,
  context: Context,
  withdrawal: ChainWithdrawal,
): { completed: string } | { unknown: UnknownWithdrawal } | Record<never, never> {
  const { account, asset, units, nonce, txHash, blockNumber } = withdrawal
  const judged = judge(draft.row(withdrawalOrders, orderIdOf(nonce)), withdrawal)
  switch (judged.as) {
    case 'known':
      return {}
    case 'due': {
      const { order } = judged
      const postings = [
        { account: userAccount(order.user_id, 'locked'), asset, units: -units },
        { account: VAULT, asset, units },
      ]
      const row = { ...order, status: 'completed', tx_hash: txHash, completed_at: context.now }
      draft.add({
        entries: [{ kind: 'withdrawal', reference: txHash, postings }],
        rows: [write(withdrawalOrders, row)],
      })
      return { completed: order.id }
    }
    case 'unknown': {
      const { reason } = judged
      const id = movementId(chainId, withdrawal)
      if (draft.row(unknownWithdrawals, id)) return {}
      const place = { id, tx_hash: txHash, block_number: blockNumber, seen_at: context.now }
      draft.add({ rows: [write(unknownWithdrawals, { ...place, reason, account, asset, units, nonce })] })
      return { unknown: { id, reason } }
    }
  }
}

type Judged =
  | { readonly as: 'due'; readonly order: WithdrawalRow }
  | { readonly as: 'known' }
  | { readonly as: 'unknown'; readonly reason: string }

function judge(order: WithdrawalRow | undefined, paid: ChainWithdrawal): Judged {
  const unknown = (reason: string): Judged => ({ as: 'unknown', reason })
  if (!order) return unknown('no order has its nonce')
  if (order.user_id !== paid.account) return unknown(`order ${order.id} is of another account`)
  if (order.asset !== paid.asset || order.amount !== paid.units)
    return unknown(`order ${order.id} is for another amount`)
  if (isOpen(order.status)) return { as: 'due', order }
  // The same log, told of again.
  if (order.status === 'completed' && order.tx_hash === paid.txHash) return { as: 'known' }
  return unknown(`order ${order.id} is ${order.status} already`)
}

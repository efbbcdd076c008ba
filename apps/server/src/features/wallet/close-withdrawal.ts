import { type Command, type EntryDraft, type RowWrite, type State, write } from '@clearwell/ledger/command'
import { transfer } from '@clearwell/ledger/transfer'
import type { ChainBlock } from '../../platform/chain/chain.ts'
import { chainCursors } from '../../platform/custody/chain-cursors.ts'
import { userAccount } from '../../platform/ledger/accounts.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import type { SignerRefusal } from '../../platform/signer/signer.store.ts'
import {
  isOpen,
  needsSignatureOf,
  type WithdrawalRow,
  type WithdrawalStatus,
  withdrawalOrders,
} from './withdrawal-orders.ts'

/**
 * Stores the signature of a locked order's voucher. Only then may the voucher leave the server. Also replaces the signature
 * of another signer, which covers the same voucher.
 *
 * @param input.signedBy in lower case.
 * @param input.root the number of the header that the voucher names; null in a vault without exits.
 */
export function recordSignature(input: {
  orderId: string
  signature: string
  signedBy: string
  root?: bigint | null
}): Command<{ recorded: boolean }> {
  const { orderId, signature, signedBy, root = null } = input
  return {
    kind: 'record_signature',
    owner: 'signer',
    payload: {},
    preload: [{ table: withdrawalOrders, id: orderId }],
    decide(state) {
      const order = state.row(withdrawalOrders, orderId)
      if (!order || !needsSignatureOf(signedBy, order)) return { response: { recorded: false } }
      const row = write(withdrawalOrders, { ...order, status: 'signed', signature, signed_by: signedBy, root })
      return { rows: [row], response: { recorded: true } }
    },
  }
}

/**
 * Returns the amount of an order that the signer refused permanently: `locked` → `available`. Safe immediately, because
 * the signer never signs a voucher with its nonce.
 */
export function releaseRefused(input: { orderId: string; reason: SignerRefusal }): Command<{ released: boolean }> {
  const { orderId, reason } = input
  return {
    kind: 'release_refused_withdrawal',
    owner: 'signer',
    payload: {},
    preload: [{ table: withdrawalOrders, id: orderId }],
    decide(state, { now }) {
      const order = state.row(withdrawalOrders, orderId)
      if (order?.status !== 'locked') return { response: { released: false } }
      const { entries, rows } = release({ ...order, refused_reason: reason }, 'refused', now)
      return { entries, rows, response: { released: true } }
    },
  }
}

/**
 * Returns the amounts of expired vouchers: `locked` → `available`.
 *
 * @param at a block that the watcher's cursor has reached, and as of which the vault has paid none of these vouchers.
 * @throws Refusal `conflict` if the watcher has not read that far: then the deadline is not final.
 */
export function expireWithdrawals(
  chainId: number,
  orderIds: readonly string[],
  at: ChainBlock,
): Command<{ expired: string[] }> {
  const cursorId = String(chainId)
  return {
    kind: 'expire_withdrawals',
    owner: 'watcher',
    payload: {},
    preload: [{ table: chainCursors, id: cursorId }, ...orderIds.map((id) => ({ table: withdrawalOrders, id }))],
    decide(state, { now }) {
      const cursor = state.row(chainCursors, cursorId)
      if (!cursor || cursor.number < at.number) throw refusal('conflict', { reason: 'cursor_moved' })
      const due = orderIds.flatMap((id) => dueOrder(state, id, earlier(cursor.time, at.time)) ?? [])
      const released = due.map((order) => release(order, 'expired', now))
      return {
        entries: released.flatMap((each) => each.entries),
        rows: released.flatMap((each) => each.rows),
        response: { expired: due.map((order) => order.id) },
      }
    },
  }
}

function dueOrder(state: State, id: string, finalTime: Date): WithdrawalRow | undefined {
  const order = state.row(withdrawalOrders, id)
  // The vault still pays in the deadline's second, so the chain's time must be later.
  return order && isOpen(order.status) && order.deadline < finalTime ? order : undefined
}

function release(
  order: WithdrawalRow,
  status: Extract<WithdrawalStatus, 'expired' | 'refused'>,
  now: Date,
): { entries: EntryDraft[]; rows: RowWrite[] } {
  const { id, user_id: userId, asset, amount: units } = order
  const postings = transfer({
    from: userAccount(userId, 'locked'),
    to: order.refund_account ?? userAccount(userId, 'available'),
    asset,
    units,
  })
  return {
    entries: [{ kind: 'withdrawal_release', reference: id, postings }],
    rows: [write(withdrawalOrders, { ...order, status, completed_at: now })],
  }
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b
}

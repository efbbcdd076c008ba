import {
  type Command,
  type Context,
  type EntryDraft,
  type Plan,
  type RowWrite,
  type State,
  write,
} from '@clearwell/ledger/command'
import type { Amount } from '@clearwell/money/amount'
import { type OpeningWindow, openingAt } from '@clearwell/rules/opening-hours'
import type { DepositPurpose } from '../../platform/custody/credit-deposit.ts'
import { TREASURY, userAccount } from '../../platform/ledger/accounts.ts'
import { depositOrders } from '../../platform/ledger/deposit-orders.ts'
import { members } from '../../platform/ledger/members.ts'
import { refusal } from '../../platform/ledger/refuse.ts'

export interface ActivationRules {
  readonly price: Amount
  readonly opening: OpeningWindow
  readonly orderTtlMs: number
}

/** Activates from the available balance, at once. Already activated: answers so and takes nothing. */
export function activateByBalance(
  { price, opening }: ActivationRules,
  input: { userId: string; key: string | undefined },
): Command<{ status: 2 }> {
  const { userId, key } = input
  const available = userAccount(userId, 'available')
  return {
    kind: 'activate_by_balance',
    owner: userId,
    key,
    payload: {},
    preload: [
      { table: members, id: userId },
      { account: available, asset: price.asset },
      { account: TREASURY, asset: price.asset },
    ],
    decide(state, context): Plan<{ status: 2 }> {
      if (state.row(members, userId)?.activated_at) return { answer: { status: 2 } }
      refuseWhenClosed(context.now, opening)
      if (state.balance(available, price.asset) < price.units) throw refusal('balance_not_enough')
      return { ...activation(price, userId, userId, context), answer: { status: 2 } }
    },
  }
}

/** Opens the order to pay for activation by wallet, or answers the one that is open already. */
export function orderActivation(
  { price, opening, orderTtlMs }: ActivationRules,
  input: { userId: string; key: string | undefined },
): Command<{ orderId: string }> {
  const { userId, key } = input
  return {
    kind: 'order_activation',
    owner: userId,
    key,
    payload: {},
    preload: [{ table: members, id: userId }],
    decide(state, context) {
      const member = state.row(members, userId)
      if (member?.activated_at) throw refusal('conflict', { reason: 'already_activated' })
      // The natural key: one open order per account, whatever the client repeats.
      if (member?.activation_order_id) return { answer: { orderId: member.activation_order_id } }
      refuseWhenClosed(context.now, opening)
      const orderId = `0x${context.id('order')}${context.id('order-rest')}`
      const order = {
        id: orderId,
        user_id: userId,
        purpose: 'activation',
        asset: price.asset,
        amount: price.units,
        credited: 0n,
        tx_hash: null,
        created_at: context.now,
        expires_at: new Date(context.now.getTime() + orderTtlMs),
      }
      return {
        rows: [
          write(depositOrders, order),
          write(members, { id: userId, activated_at: null, activation_order_id: orderId }),
        ],
        answer: { orderId },
      }
    },
  }
}

/** What a payment of an activation order settles, for the watcher. */
export function activationPurpose(rules: ActivationRules): DepositPurpose {
  return {
    preload: (userId) => [{ table: members, id: userId }],
    settle: (state, context, payment) => settleActivation(rules, state, context, payment),
  }
}

/**
 * What a payment of an activation order does after it was credited: once all payments of the order come to what it asked
 * for, that goes on to `treasury` and the account is activated, whatever the price is by now. Nothing where the account is
 * activated already or the payments are not enough yet: then they stay in the balance. An order that is paid in full and
 * whose first payments were spent meanwhile is no longer waited for: it takes nothing, and the account can start anew.
 *
 * @param state what is there once the payment is credited, to the sender and to the order.
 */
export function settleActivation(
  { price }: ActivationRules,
  state: State,
  context: Context,
  payment: { userId: string; orderId: string },
): { entries: EntryDraft[]; rows: RowWrite[] } {
  const { userId, orderId } = payment
  const nothing = { entries: [], rows: [] }
  const order = state.row(depositOrders, orderId)
  const member = state.row(members, userId)
  if (member?.activated_at || order?.asset !== price.asset || order.credited < order.amount) return nothing
  if (state.balance(userAccount(userId, 'available'), price.asset) >= order.amount) {
    return activation({ ...price, units: order.amount }, userId, orderId, context)
  }
  return member?.activation_order_id === orderId
    ? { ...nothing, rows: [write(members, { ...member, activation_order_id: null })] }
    : nothing
}

function activation(price: Amount, userId: string, reference: string, { now }: Context) {
  const { asset, units } = price
  const postings = [
    { account: userAccount(userId, 'available'), asset, units: -units },
    { account: TREASURY, asset, units },
  ]
  return {
    entries: [{ kind: 'activation', reference, postings }],
    rows: [write(members, { id: userId, activated_at: now, activation_order_id: null })],
  }
}

function refuseWhenClosed(now: Date, opening: OpeningWindow): void {
  const state = openingAt(now, opening)
  if (!state.open) throw refusal('not_open', { opens_at: state.opensAt.toISOString() })
}

import {
  type Command,
  type Context,
  type EntryDraft,
  type Plan,
  type RowWrite,
  type State,
  write,
} from '@clearwell/ledger/command'
import { transfer } from '@clearwell/ledger/transfer'
import type { Amount } from '@clearwell/money/amount'
import { type OpeningWindow, openingAt } from '@clearwell/rules/opening-hours'
import { type Acceptance, acceptanceKeys, acceptTerms } from '../../domain/members/accepted-terms.ts'
import { activateMember, activationKeys } from '../../domain/members/activate-member.ts'
import { carryInviters } from '../../domain/members/carry-inviters.ts'
import { members } from '../../domain/members/members.ts'
import type { DepositPurpose } from '../../platform/custody/credit-deposit.ts'
import { INSURANCE, userAccount } from '../../platform/ledger/accounts.ts'
import { depositOrders } from '../../platform/ledger/deposit-orders.ts'
import { refusal } from '../../platform/ledger/refuse.ts'

export interface ActivationRules {
  readonly price: Amount
  readonly opening: OpeningWindow
  readonly orderTtlMs: number
  /** The version of the operator's terms. null: there are none. */
  readonly terms: string | null
}

interface ActivationInput {
  readonly userId: string
  readonly key: string | undefined
  /** The version of the terms that the user accepts. Clients of before send none. */
  readonly termsVersion?: string | undefined
}

function acceptanceOf({ terms }: Pick<ActivationRules, 'terms'>, input: ActivationInput): Acceptance {
  return { userId: input.userId, version: input.termsVersion, current: terms }
}

/** A command without a version has the payload of before. */
function payloadOf({ termsVersion }: ActivationInput): object {
  return termsVersion === undefined ? {} : { termsVersion }
}

/** Activates an account immediately from its available balance. An account that is already active pays nothing. */
export function activateByBalance(
  { price, opening, terms }: ActivationRules,
  input: ActivationInput,
): Command<{ status: 2 }> {
  const { userId, key } = input
  const acceptance = acceptanceOf({ terms }, input)
  const available = userAccount(userId, 'available')
  return {
    kind: 'activate_by_balance',
    owner: userId,
    key,
    payload: payloadOf(input),
    preload: [
      ...acceptanceKeys(acceptance),
      ...activationKeys(userId),
      { account: available, asset: price.asset },
      { account: INSURANCE, asset: price.asset },
    ],
    decide(state, context): Plan<{ status: 2 }> {
      const accepted = acceptTerms(state, acceptance, context.now)
      if (state.row(members, userId)?.activated_at) return { rows: accepted, response: { status: 2 } }
      refuseWhenClosed(context.now, opening)
      if (state.balance(available, price.asset) < price.units) throw refusal('balance_not_enough')
      const { entries, rows } = activation(state, { price, userId, reference: userId }, context)
      return { entries, rows: [...accepted, ...rows], response: { status: 2 } }
    },
  }
}

/** Opens the order to pay for activation by wallet, or returns the open one. */
export function orderActivation(
  { price, opening, orderTtlMs, terms }: ActivationRules,
  input: ActivationInput,
): Command<{ orderId: string }> {
  const { userId, key } = input
  const acceptance = acceptanceOf({ terms }, input)
  return {
    kind: 'order_activation',
    owner: userId,
    worksUnproven: true,
    key,
    payload: payloadOf(input),
    preload: [...acceptanceKeys(acceptance), { table: members, id: userId }],
    decide(state, context) {
      const member = state.row(members, userId)
      if (member?.activated_at) throw refusal('conflict', { reason: 'already_activated' })
      const accepted = acceptTerms(state, acceptance, context.now)
      // The natural key: one open order per account, also when the client repeats the call.
      if (member?.activation_order_id) return { rows: accepted, response: { orderId: member.activation_order_id } }
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
          ...accepted,
          ...carryInviters(state, userId),
          write(depositOrders, order),
          write(members, { id: userId, activated_at: null, activation_order_id: orderId }),
        ],
        response: { orderId },
      }
    },
  }
}

/** Describes to the watcher how a payment settles an activation order: at the order's own price. */
export function activationPurpose(rules: ActivationRules): DepositPurpose {
  return {
    name: 'activation',
    preload: activationKeys,
    settle: (state, context, payment) => settleActivation(rules, state, context, payment),
  }
}

/**
 * Settles an activation order after one of its payments was credited.
 *
 * Once the payments cover the price that the order asked for, the price moves to `insurance` and the account becomes
 * active, even if the price has changed since. Until then, and for an account that is already active, payments stay in
 * the balance. If the user spent the first payments before the last one arrived, the order is closed without payment and
 * the account can open a new one.
 *
 * @param state the balance and the order as they are after the payment was credited.
 */
function settleActivation(
  { price }: ActivationRules,
  state: State,
  context: Context,
  payment: { userId: string; orderId: string },
): { entries: EntryDraft[]; rows: readonly RowWrite[] } {
  const { userId, orderId } = payment
  const nothing = { entries: [], rows: [] }
  const order = state.row(depositOrders, orderId)
  const member = state.row(members, userId)
  if (member?.activated_at || order?.asset !== price.asset || order.credited < order.amount) return nothing
  if (state.balance(userAccount(userId, 'available'), price.asset) >= order.amount) {
    return activation(state, { price: { ...price, units: order.amount }, userId, reference: orderId }, context)
  }
  return member?.activation_order_id === orderId
    ? { ...nothing, rows: [write(members, { ...member, activation_order_id: null })] }
    : nothing
}

function activation(
  state: State,
  { price, userId, reference }: { price: Amount; userId: string; reference: string },
  context: Context,
) {
  const { asset, units } = price
  const postings = transfer({ from: userAccount(userId, 'available'), to: INSURANCE, asset, units })
  return {
    entries: [{ kind: 'activation', reference, postings }],
    rows: activateMember(state, userId, context).rows ?? [],
  }
}

function refuseWhenClosed(now: Date, opening: OpeningWindow): void {
  const state = openingAt(now, opening)
  if (!state.open) throw refusal('not_open', { opens_at: state.opensAt.toISOString() })
}

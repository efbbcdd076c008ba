import type { activationRoutes } from '@clearwell/api/activation.routes'
import type { ResponseOf } from '@clearwell/api/routes'
import type { Writer } from '@clearwell/ledger/writer'
import { formatAmount } from '@clearwell/money/amount'
import { openingAt } from '@clearwell/rules/opening-hours'
import type { DepositCall, DepositDesk } from '../../platform/custody/deposit-desk.ts'
import { NOTHING_UNCONFIRMED } from '../../platform/custody/unconfirmed.ts'
import type { HandlersOf } from '../../platform/http/request-context.ts'
import { byRule, type Ruled } from '../../platform/rules/ruled.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { type ActivationRules, activateByBalance, orderActivation } from './activate.ts'
import type { ActivationOrderRow, ActivationStore } from './activation.store.ts'

export interface ActivationDependencies {
  readonly store: ActivationStore
  readonly writer: Writer
  readonly clock: Clock
  readonly rules: Ruled<ActivationRules>
  readonly desk: DepositDesk
}

export function activationHandlers(deps: ActivationDependencies): HandlersOf<typeof activationRoutes> {
  const { store, writer, clock, desk } = deps
  const { asset } = deps.rules.first.price

  async function statusOf(userId: string): Promise<ResponseOf<'getActiveStatus'>> {
    const [member, rules] = await Promise.all([store.member(userId), deps.rules.now()])
    const base = { price: formatAmount(rules.price), asset: rules.price.asset }
    if (member?.activated_at) return { status: 2, ...base }
    const opening = openingAt(clock.now(), rules.opening)
    const opensAt = opening.open ? {} : { opens_at: opening.opensAt.toISOString() }
    const order = member?.activation_order_id ? await store.order(userId, member.activation_order_id) : undefined
    if (!order) return { status: 0, ...base, ...opensAt }
    return { status: 1, ...base, ...opensAt, order: await orderResponse(userId, order) }
  }

  async function orderResponse(userId: string, order: ActivationOrderRow): Promise<ResponseOf<'active'>> {
    const isPaid = order.credited >= order.amount
    // Payments add up, so a partly paid order asks for the rest.
    const amount = { asset, units: isPaid ? order.amount : order.amount - order.credited }
    const call: DepositCall = desk.callFor(amount, order.id)
    const unconfirmed = isPaid ? NOTHING_UNCONFIRMED : await desk.unconfirmedOf(userId)
    const seen = unconfirmed.progressOf({ orderId: order.id, userId, asset })
    return {
      order_id: order.id,
      to: call.to,
      asset,
      amount: formatAmount(amount),
      ...(order.credited > 0n ? { credited: formatAmount({ asset, units: order.credited }) } : {}),
      status: isPaid ? 'credited' : seen ? 'seen' : 'created',
      calldata: call.calldata,
      value: call.value,
      tx_hash: isPaid ? order.tx_hash : (seen?.txHash ?? null),
      confirmations: isPaid ? desk.required : (seen?.confirmations ?? 0),
      required: desk.required,
    }
  }

  return {
    getActiveStatus: (_payload, { user }) => statusOf(user.id),

    async active({ tx_hash: txHash, terms_version: termsVersion }, { user, idempotencyKey: key }) {
      if (txHash !== undefined) {
        await desk.lookUp(txHash)
        const order = await lastOrder(user.id)
        if (order) return orderResponse(user.id, order)
      }
      const { orderId } = await writer.execute(
        byRule(deps.rules, (rules) => orderActivation(rules, { userId: user.id, key, termsVersion })),
      )
      const order = await store.order(user.id, orderId)
      if (!order) throw new Error('an activation order that was just made is missing')
      return orderResponse(user.id, order)
    },

    activeByBalance: ({ terms_version: termsVersion }, { user, idempotencyKey: key }) =>
      writer.execute(byRule(deps.rules, (rules) => activateByBalance(rules, { userId: user.id, key, termsVersion }))),
  }

  /** Returns the open order, or the order that the payment just settled. */
  async function lastOrder(userId: string): Promise<ActivationOrderRow | undefined> {
    const member = await store.member(userId)
    if (member?.activation_order_id) return store.order(userId, member.activation_order_id)
    return member?.activated_at ? store.lastOrder(userId) : undefined
  }
}

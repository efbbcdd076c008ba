import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import type { Config } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { payVault, resumeApproval, type VaultPayment } from '../../vault-payment/pay-vault.ts'
import { chainUnits } from '../../vault-payment/payment-assets.ts'
import { forgetPayment, type PaymentRecord, readPayment, savePayment } from '../../vault-payment/payment-record.ts'
import type { PaymentEvent } from '../../vault-payment/payment-state.ts'
import type { PaymentPurpose } from '../../vault-payment/use-payment.ts'
import type { ActivationOrder } from './activation.queries.ts'

/** The payment of an activation order. The server says when the account is activated, and the screen changes then. */
export function activationPurpose(account: string, order: ActivationOrder, config: Config): PaymentPurpose {
  const payment = paymentOf(account, order, config)
  const { token, units } = payment
  const amount = `${formatAmount(order.amount, { decimals: 18 })} ${order.asset}`
  return {
    orderId: order.order_id,
    amount: order.amount,
    asset: order.asset,
    order,
    orderEvent: () => activationEvent(order),
    allowance: token === null ? undefined : { token, units },
    isEarlier: (record) => isCounted(record, order),
    pay: () => payActivation(account, order, config),
    resumeApproval: () => void resumeApproval(payment),
    texts: {
      title: m.title_swap_activate(),
      amountLabel: m.activation_price(),
      progress: m.activation_progress(),
      send: m.payment_step_send({ amount }),
      settle: m.activation_activated(),
      pay: m.activation_pay({ amount }),
      say: { sent: m.activation_say_wait(), mined: m.activation_say_wait(), confirmed: m.activation_say_wait() },
      unpaid: m.payment_nothing_sent(),
    },
  }
}

/** Pays an order, or continues with a payment that was sent before. */
export function payActivation(account: string, order: ActivationOrder, config: Config): void {
  // The rest of a partly paid order is another payment.
  if (isCounted(readPayment(account, order.order_id), order)) forgetPayment(account, order.order_id)
  savePayment(account, { orderId: order.order_id, creditedBefore: order.credited ?? '0' })
  void payVault(paymentOf(account, order, config))
}

/** The server's word on an activation. */
export function activationEvent({
  status,
  confirmations,
  required,
}: Pick<ActivationOrder, 'status' | 'confirmations' | 'required'>): PaymentEvent {
  switch (status) {
    case 'created':
      return 'order_open'
    case 'seen':
      return confirmations >= required ? 'order_confirmed' : 'order_seen'
    case 'credited':
      return 'order_confirmed'
  }
}

function paymentOf(account: string, order: ActivationOrder, config: Config): VaultPayment {
  const asset = config.assets.find((each) => each.asset === order.asset)
  return {
    account,
    orderId: order.order_id,
    token: asset?.address ?? null,
    // The server's call never matches for an asset that is not configured.
    units: asset ? chainUnits(order.amount, asset.decimals) : 0n,
    vault: config.vault,
    served: order,
  }
}

/** Returns whether a payment of this device was credited and did not cover the order, which now asks for the rest. */
export function isCounted(record: PaymentRecord | undefined, order: ActivationOrder): boolean {
  return (
    record?.hash !== undefined &&
    order.status === 'created' &&
    (record.creditedBefore ?? '0') !== (order.credited ?? '0')
  )
}

/** Returns whether the order asks for the confirmed payment. */
export function isAmount(order: ActivationOrder, confirmed: { amount: string; asset: string }): boolean {
  return order.asset === confirmed.asset && order.amount === confirmed.amount
}

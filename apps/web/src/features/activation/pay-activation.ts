import type { Config } from '../../api/config.ts'
import { chainUnits } from '../../wallet/deposit-call.ts'
import { payVault, resumeApproval, type VaultPayment } from '../../wallet/pay-vault.ts'
import { forgetPayment, type PaymentRecord, readPayment, savePayment } from '../../wallet/payment-record.ts'
import type { ActivationOrder } from './activation.queries.ts'

/** Pays an order, or goes on with a payment that was sent before. That the account is activated the server says. */
export function payActivation(account: string, order: ActivationOrder, config: Config): void {
  // What is still missing is another payment.
  if (isCounted(readPayment(account, order.order_id), order)) forgetPayment(account, order.order_id)
  savePayment(account, { orderId: order.order_id, creditedBefore: order.credited ?? '0' })
  void payVault(paymentOf(account, order, config))
}

/** Waits for an approval that was sent before this page was loaded. The wallet is asked for nothing. */
export function resumeActivation(account: string, order: ActivationOrder, config: Config): void {
  void resumeApproval(paymentOf(account, order, config))
}

function paymentOf(account: string, order: ActivationOrder, config: Config): VaultPayment {
  const asset = config.assets.find((each) => each.asset === order.asset)
  return {
    account,
    orderId: order.order_id,
    token: asset?.address ?? null,
    // An asset that is not configured is asked for by no call that is the same.
    units: asset ? chainUnits(order.amount, asset.decimals) : 0n,
    vault: config.vault,
    served: order,
  }
}

/** Whether a payment of this device has come in already, and was not enough: the order asks for the rest. */
export function isCounted(record: PaymentRecord | undefined, order: ActivationOrder): boolean {
  return (
    record?.hash !== undefined &&
    order.status === 'created' &&
    (record.creditedBefore ?? '0') !== (order.credited ?? '0')
  )
}

/** Whether both orders ask for the same: what was confirmed is what is paid. */
export function isAmount(order: ActivationOrder, confirmed: { amount: string; asset: string }): boolean {
  return order.asset === confirmed.asset && order.amount === confirmed.amount
}

import type { Config } from '../../api/config.ts'
import { chainUnits } from '../../wallet/deposit-call.ts'
import { payVault } from '../../wallet/pay-vault.ts'
import type { ActivationOrder } from './activation.queries.ts'

/** Pays an order, or goes on with a payment that was sent before. That the account is activated the server says. */
export function payActivation(account: string, order: ActivationOrder, config: Config): void {
  const asset = config.assets.find((each) => each.asset === order.asset)
  void payVault({
    account,
    orderId: order.order_id,
    token: asset?.address ?? null,
    // An asset that is not configured is asked for by no call that is the same.
    units: asset ? chainUnits(order.amount, asset.decimals) : 0n,
    vault: config.vault,
    served: order,
  })
}

/** Whether both orders ask for the same: what was confirmed is what is paid. */
export function isAmount(order: ActivationOrder, confirmed: { amount: string; asset: string }): boolean {
  return order.asset === confirmed.asset && order.amount === confirmed.amount
}

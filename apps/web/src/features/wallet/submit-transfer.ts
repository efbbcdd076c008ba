import type { Config } from '../../api/config.ts'
import { chainUnits } from '../../wallet/deposit-call.ts'
import { type PaymentRecord, savePayment } from '../../wallet/payment-record.ts'
import { submitVoucher } from '../../wallet/submit-voucher.ts'
import type { SellOrder } from '../../wallet/withdraw-call.ts'

/**
 * Submits the voucher of a transfer out, or goes on with what was sent before, and lists it among this device's
 * transfers. The voucher must say what was confirmed here; on another device, what the order on screen says.
 */
export function submitTransfer(
  config: Config,
  account: string,
  order: SellOrder,
  confirmed: PaymentRecord['transfer'],
): void {
  const { asset: assetId, amount } = confirmed ?? order
  const { order_id: orderId } = order
  const asset = config.assets.find((each) => each.asset === assetId)
  savePayment(account, { orderId, transfer: { asset: assetId, amount, out: true } })
  void submitVoucher({
    account,
    orderId,
    vault: config.vault,
    token: asset?.address ?? null,
    // No voucher is over the units of an asset that is not configured.
    units: asset ? chainUnits(amount, asset.decimals) : -1n,
    order,
  })
}

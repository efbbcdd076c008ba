import { payVault, type VaultPayment } from '../../wallet/pay-vault.ts'
import { savePayment } from '../../wallet/payment-record.ts'

/** Pays an order of a transfer in, or goes on with what was sent before, and lists it among this device's transfers. */
export function payTransfer(payment: VaultPayment, transfer: { asset: string; amount: string }): void {
  savePayment(payment.account, { orderId: payment.orderId, transfer })
  void payVault(payment)
}

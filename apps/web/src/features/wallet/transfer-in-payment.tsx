import type { ResponseOf } from '@clearwell/api/routes'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { useAccountAddress } from '../../account/use-account.ts'
import type { Config } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { payVault, resumeApproval, type VaultPayment } from '../../vault-payment/pay-vault.ts'
import { chainAssets, chainUnits } from '../../vault-payment/payment-assets.ts'
import { type PaymentRecord, savePayment } from '../../vault-payment/payment-record.ts'
import { PaymentScreen } from '../../vault-payment/payment-screen.tsx'
import type { PaymentEvent } from '../../vault-payment/payment-state.ts'
import { type PaymentPurpose, usePayment } from '../../vault-payment/use-payment.ts'

/** A transfer in, in the API's spelling. */
export type TransferInOrder = ResponseOf<'buyOrders'>['items'][number]

interface TransferInPaymentProps {
  readonly config: Config
  readonly order: TransferInOrder | undefined
  readonly record: PaymentRecord | undefined
  readonly orderId: string
  readonly isStale: boolean
}

/** A transfer in, from the wallet to the balance. */
export function TransferInPayment({ config, order, record, orderId, isStale }: TransferInPaymentProps) {
  const account = useAccountAddress()
  const { asset: symbol, amount } = order ?? record?.transfer ?? { asset: '', amount: '0' }
  const asset = chainAssets(config).assets.find((each) => each.asset === symbol)
  const units = asset ? chainUnits(amount, asset.decimals) : 0n
  const payment = asset && { account, orderId, vault: config.vault, token: asset.address, units }
  const isPayable = order === undefined || order.status === 'created' || order.status === 'expired'
  const credited = order?.status === 'credited' ? order.credited : amount
  const purpose: PaymentPurpose = {
    orderId,
    amount: credited,
    asset: symbol,
    order,
    orderEvent: () => transferInEvent(order),
    allowance: asset?.address ? { token: asset.address, units } : undefined,
    pay: () => payment && payTransferIn(payment, { asset: symbol, amount }),
    resumeApproval: () => payment && isPayable && void resumeApproval(payment),
    isRetrievable: true,
    done: { title: m.wallet_in_done(), receipt: m.wallet_transfer_in() },
    again: { to: '/{-$locale}/wallet/buy', label: m.wallet_another() },
    texts: textsOf({ amount: `${formatAmount(amount)} ${symbol}`, credited: `${formatAmount(credited)} ${symbol}` }),
  }
  const view = usePayment(purpose)
  return (
    <PaymentScreen
      config={config}
      purpose={purpose}
      payment={view}
      onPay={purpose.pay}
      aside={isStale && <span className="text-label text-warn">{m.ui_stale()}</span>}
    />
  )
}

/** Pays an order, or continues with the transaction that was sent before, and lists it among this device's transfers. */
export function payTransferIn(payment: VaultPayment, transfer: { asset: string; amount: string }): void {
  savePayment(payment.account, { orderId: payment.orderId, transfer })
  void payVault(payment)
}

/** The server's word on a transfer in. */
export function transferInEvent(
  order: Pick<TransferInOrder, 'status' | 'confirmations' | 'required'> | undefined,
): PaymentEvent | undefined {
  switch (order?.status) {
    case undefined:
      return undefined
    case 'created':
      return 'order_open'
    case 'seen':
      return order && order.confirmations >= order.required ? 'order_confirmed' : 'order_seen'
    case 'credited':
      return 'order_done'
    case 'expired':
      return 'order_lapsed'
  }
}

function textsOf({ amount, credited }: { amount: string; credited: string }): PaymentPurpose['texts'] {
  return {
    title: m.title_wallet_send_transaction(),
    amountLabel: m.wallet_transfer_in(),
    progress: m.wallet_progress(),
    send: m.payment_step_send({ amount }),
    settle: m.wallet_stage_credit(),
    settled: credited,
    pay: m.payment_open_wallet(),
    say: {
      sent: m.wallet_say_wait(),
      mined: m.wallet_say_wait(),
      confirmed: m.wallet_say_wait(),
      expired: m.wallet_say_restart(),
      done: m.wallet_say_done({ amount: credited }),
    },
    unpaid: m.payment_nothing_sent(),
  }
}

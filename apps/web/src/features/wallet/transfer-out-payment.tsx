import type { ResponseOf } from '@clearwell/api/routes'
import type { Step } from '@clearwell/ui/components/progress-steps.tsx'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { useAccountAddress } from '../../account/use-account.ts'
import type { Config } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { chainUnits } from '../../vault-payment/payment-assets.ts'
import { type PaymentRecord, savePayment } from '../../vault-payment/payment-record.ts'
import type { Failure } from '../../vault-payment/payment-run.ts'
import { PaymentScreen } from '../../vault-payment/payment-screen.tsx'
import type { PaymentEvent } from '../../vault-payment/payment-state.ts'
import { submitVoucher } from '../../vault-payment/submit-voucher.ts'
import { type PaymentPurpose, usePayment } from '../../vault-payment/use-payment.ts'
import { CancelTransferOut } from './cancel-transfer-out.tsx'
import { timeLeftText, useTimeLeft } from './time-left.ts'

/** A transfer out, in the API's spelling. */
export type TransferOutOrder = ResponseOf<'sell'>

interface TransferOutPaymentProps {
  readonly config: Config
  readonly order: TransferOutOrder | undefined
  readonly record: PaymentRecord | undefined
  readonly orderId: string
  readonly isStale: boolean
}

/** A transfer out, from the locked amount to the wallet. It continues on any device, as the server stores the voucher. */
export function TransferOutPayment({ config, order, record, orderId, isStale }: TransferOutPaymentProps) {
  const account = useAccountAddress()
  const left = useTimeLeft(order?.expires_at, isOpen(order))
  const isOverdue = isOpen(order) && left?.isOver === true
  const { asset, amount } = order ?? record?.transfer ?? { asset: '', amount: '0' }
  const deadline = order ? formatDateTime(order.expires_at) : ''
  const isPrepared = order !== undefined && order.status !== 'locked' && order.status !== 'cancelled'
  const purpose: PaymentPurpose = {
    orderId,
    amount,
    asset,
    order,
    orderEvent: (failure) => transferOutEvent({ order, failure, isOverdue }),
    isPrepared,
    pay: () => {
      if (order && isOpen(order)) submitTransferOut(config, account, order, record?.transfer)
    },
    done: { title: m.wallet_out_done(), receipt: m.wallet_transfer_out(), isOut: true },
    again: { to: '/{-$locale}/wallet/sell', label: m.wallet_out_again() },
    texts: textsOf({ amount: `${formatAmount(amount)} ${asset}`, deadline, isPrepared, order }),
  }
  const payment = usePayment(purpose)
  return (
    <PaymentScreen
      config={config}
      purpose={purpose}
      payment={payment}
      onPay={purpose.pay}
      aside={isStale && <span className="text-label text-warn">{m.ui_stale()}</span>}
      timeLeft={
        left && isOpen(order) && payment.state !== 'overdue'
          ? m.wallet_out_stage_submit_left({ time: timeLeftText(left.seconds) })
          : undefined
      }
      facts={order && hasDeadline(order) ? [{ label: m.wallet_out_deadline(), value: deadline }] : []}
      notes={order?.status === 'locked' && <CancelTransferOut orderId={orderId} />}
    />
  )
}

/**
 * Submits the voucher of a transfer out, or continues with the transaction that was sent before, and lists it among this
 * device's transfers. The voucher must match the confirmation on this device; on another device, the order on screen.
 */
export function submitTransferOut(
  config: Config,
  account: string,
  order: TransferOutOrder,
  confirmed: PaymentRecord['transfer'],
): void {
  const { asset: symbol, amount } = confirmed ?? order
  const { order_id: orderId } = order
  const asset = config.assets.find((each) => each.asset === symbol)
  savePayment(account, { orderId, transfer: { asset: symbol, amount, out: true } })
  void submitVoucher({
    account,
    orderId,
    vault: config.vault,
    token: asset?.address ?? null,
    // No voucher matches an asset that is not configured.
    units: asset ? chainUnits(amount, asset.decimals) : -1n,
    order,
  })
}

/** The server's word on a transfer out. */
export function transferOutEvent({
  order,
  failure,
  isOverdue,
}: {
  order: Pick<TransferOutOrder, 'status' | 'confirmations' | 'required'> | undefined
  failure: Failure | undefined
  isOverdue: boolean
}): PaymentEvent | undefined {
  if (order?.status === 'completed') return 'order_done'
  if (order?.status === 'expired' || order?.status === 'cancelled') return 'order_returned'
  if (order?.status === 'submitted') return order.confirmations >= order.required ? 'order_confirmed' : 'order_seen'
  // A used nonce has paid, and the server will see it soon.
  if (failure?.revert === 'NonceUsed') return 'order_seen'
  if (failure?.revert === 'VoucherExpired' || isOverdue) return 'deadline_passed'
  // Not in the server's list yet, or not signed yet.
  return order?.status === 'signed' && failure?.fault !== 'unsigned' ? 'order_open' : 'order_locked'
}

/** A deadline matters while the voucher can be submitted, and where it has passed. The vault has taken a submitted voucher in time. */
function hasDeadline(order: TransferOutOrder): boolean {
  return isOpen(order) || order.status === 'expired'
}

function isOpen(order: TransferOutOrder | undefined): boolean {
  return order?.status === 'locked' || order?.status === 'signed'
}

function textsOf({
  amount,
  deadline,
  isPrepared,
  order,
}: {
  amount: string
  deadline: string
  isPrepared: boolean
  order: Pick<TransferOutOrder, 'status' | 'waits_for' | 'created_at' | 'ended_at'> | undefined
}): PaymentPurpose['texts'] {
  const unpaid = m.wallet_out_stays_locked({ time: deadline })
  return {
    title: m.title_wallet_send_transaction(),
    amountLabel: m.wallet_transfer_out(),
    progress: m.wallet_out_progress(),
    ended: order?.status === 'cancelled' ? cancelledSteps(amount, order) : undefined,
    prepare: stageText(isPrepared, order),
    send: m.wallet_out_stage_submit(),
    settle: m.wallet_out_stage_complete(),
    pay: m.payment_open_wallet(),
    say: {
      preparing: preparingText(order),
      ready: m.wallet_out_say_submit({ time: deadline }),
      sent: m.wallet_out_say_wait(),
      mined: m.wallet_out_say_wait(),
      confirmed: m.wallet_out_say_wait(),
      no_response: m.wallet_out_say_no_response(),
      overdue: m.wallet_out_say_overdue(),
      expired:
        order?.status === 'cancelled' ? m.wallet_out_say_cancelled({ amount }) : m.wallet_out_say_expired({ amount }),
      done: m.wallet_out_say_done({ amount }),
    },
    unpaid,
    held: unpaid,
  }
}

/** The steps of a transfer that its user cancelled. Without the time of the cancel, a server of the version before responded. */
function cancelledSteps(
  amount: string,
  { created_at: createdAt, ended_at: endedAt }: Pick<TransferOutOrder, 'created_at' | 'ended_at'>,
): Step[] {
  const detail = endedAt ? { detail: formatDateTime(endedAt) } : {}
  return [
    { label: m.wallet_out_step_locked({ amount }), state: 'done', detail: formatDateTime(createdAt) },
    { label: m.wallet_out_step_cancelled(), state: 'done', ...detail },
    { label: m.wallet_out_step_back({ amount }), state: 'done' },
  ]
}

function preparingText(order: Pick<TransferOutOrder, 'waits_for'> | undefined): string {
  if (!order) return m.wallet_out_say_list()
  return order.waits_for === 'second_signature' ? m.wallet_out_say_second() : m.wallet_out_say_signature()
}

function stageText(isPrepared: boolean, order: Pick<TransferOutOrder, 'waits_for'> | undefined): string {
  if (isPrepared) return m.wallet_out_stage_lock()
  return order?.waits_for === 'second_signature' ? m.wallet_out_wait_second() : m.wallet_out_stage_lock_now()
}

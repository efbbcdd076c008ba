import { HIDDEN_TEXT, useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Badge, type BadgeTone } from '@clearwell/ui/components/badge.tsx'
import { ListRow } from '@clearwell/ui/components/list-row.tsx'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { useNavigate } from '@tanstack/react-router'
import { m } from '../../generated/messages.ts'
import type { PaymentRecord } from '../../vault-payment/payment-record.ts'
import { useTimeLeft } from './time-left.ts'
import type { TransferInOrder } from './transfer-in-payment.tsx'
import type { TransferOutOrder } from './transfer-out-payment.tsx'

interface RowProps<Order> {
  readonly order: Order
  readonly record: PaymentRecord | undefined
  readonly showsWay?: boolean
}

/** A transfer in with its status and its next step. */
export function TransferInRow({ order, record, showsWay = false }: RowProps<TransferInOrder>) {
  const shown = order.status === 'credited' ? { ...order, amount: order.credited } : order
  return <TransferRow order={shown} state={stateIn(order, record)} showsWay={showsWay} />
}

/** A transfer out with its status and its next step. */
export function TransferOutRow({ order, record, showsWay = false }: RowProps<TransferOutOrder>) {
  const isOverdue = useTimeLeft(order.expires_at, isOpen(order))?.isOver === true
  return <TransferRow order={order} state={stateOut(order, record, isOverdue)} out showsWay={showsWay} />
}

/** Returns whether a transfer in is on the chain, or may have been sent from this device. */
export function isInProgress(order: TransferInOrder, record: PaymentRecord | undefined): boolean {
  if (order.status === 'seen') return true
  return order.status === 'created' && (record?.hash !== undefined || record?.asked === true)
}

/** Returns whether the amount of a transfer out is still locked. */
export function isLocked(order: TransferOutOrder): boolean {
  return isOpen(order) || order.status === 'submitted'
}

/** A transfer's status in one or two words, and its next step. */
interface TransferState {
  readonly tone: BadgeTone
  readonly label: string
  readonly next: string | undefined
  /** Confirmations so far, in percent of those required. */
  readonly progress?: number
}

interface TransferRowProps {
  readonly order: { order_id: string; amount: string; asset: string; created_at: string }
  readonly state: TransferState
  readonly out?: boolean
  /** Names the direction, where both are listed. */
  readonly showsWay?: boolean
}

/** A transfer in a list. The row opens its progress. */
function TransferRow({ order, state, out = false, showsWay = false }: TransferRowProps) {
  const navigate = useNavigate()
  const { hidden } = useHiddenAmounts()
  const { order_id: id, amount, asset, created_at: createdAt } = order
  const search = out ? ({ order: id, way: 'out' } as const) : { order: id }
  const icon = out ? 'arrow-up-from-line' : 'arrow-down-to-line'
  return (
    <ListRow
      {...(showsWay ? { icon } : {})}
      title={
        <span className="flex items-center justify-between gap-2">
          {hidden ? (
            <span className="figures font-semibold">{HIDDEN_TEXT}</span>
          ) : (
            <AmountText amount={amount} asset={asset} className="min-w-0 truncate font-semibold" />
          )}
          <Badge tone={state.tone}>{state.label}</Badge>
        </span>
      }
      detail={
        <>
          <span className="figures block">
            {showsWay && `${out ? m.wallet_transfer_out() : m.wallet_transfer_in()} · `}
            {formatDateTime(createdAt)}
          </span>
          {state.next && <span className="block text-text">{state.next}</span>}
          {state.progress !== undefined && (
            <svg aria-hidden="true" viewBox="0 0 100 2" preserveAspectRatio="none" className="mt-1 block h-1 w-full">
              <rect width="100" height="2" className="fill-line" />
              <rect width={state.progress} height="2" className="fill-accent" />
            </svg>
          )}
        </>
      }
      onClick={() => navigate({ to: '/{-$locale}/wallet/sendTransaction', search })}
    />
  )
}

function isOpen({ status }: TransferOutOrder): boolean {
  return status === 'locked' || status === 'signed'
}

function stateIn(order: TransferInOrder, record: PaymentRecord | undefined): TransferState {
  switch (order.status) {
    case 'credited':
      return { tone: 'done', label: m.wallet_order_credited(), next: undefined }
    case 'seen':
      return confirming(order)
    case 'expired':
    case 'created':
      // After an unknown response "pay now" would make its user pay twice.
      return (
        sentState(record) ??
        (order.status === 'expired'
          ? { tone: 'plain', label: m.wallet_order_expired(), next: m.wallet_order_next_expired() }
          : { tone: 'pending', label: m.wallet_order_created(), next: m.wallet_order_next_created() })
      )
  }
}

function stateOut(order: TransferOutOrder, record: PaymentRecord | undefined, isOverdue: boolean): TransferState {
  switch (order.status) {
    case 'completed':
      return { tone: 'done', label: m.wallet_out_state_completed(), next: undefined }
    case 'expired':
      return { tone: 'plain', label: m.wallet_out_state_expired(), next: m.wallet_out_next_expired() }
    case 'cancelled':
      return { tone: 'plain', label: m.wallet_out_state_cancelled(), next: m.wallet_out_next_expired() }
    case 'submitted':
      return confirming(order)
    case 'signed':
    case 'locked':
      if (isOverdue && record?.hash === undefined)
        return { tone: 'warning', label: m.wallet_out_state_overdue(), next: m.wallet_out_next_overdue() }
      return (
        sentState(record) ??
        (order.status === 'locked'
          ? { tone: 'pending', label: m.wallet_out_state_locked(), next: nextLocked(order) }
          : {
              tone: 'pending',
              label: m.wallet_out_state_signed(),
              next: m.wallet_out_next_signed({ time: formatDateTime(order.expires_at) }),
            })
      )
  }
}

/** Names the second signature where the order waits for one. */
function nextLocked({ waits_for: waitsFor }: TransferOutOrder): string {
  return waitsFor === 'second_signature' ? m.wallet_out_wait_second() : m.wallet_out_next_locked()
}

function confirming({ confirmations: n, required }: { confirmations: number; required: number }): TransferState {
  return {
    tone: 'pending',
    label: m.wallet_order_seen(),
    next: m.wallet_order_next_seen({ n, m: required }),
    progress: (100 * Math.min(n, required)) / Math.max(required, 1),
  }
}

/** The status of a transfer that this device sent, or may have sent. */
function sentState(record: PaymentRecord | undefined): TransferState | undefined {
  if (record?.hash) return { tone: 'pending', label: m.wallet_order_sent(), next: m.wallet_order_next_sent() }
  if (record?.asked) return { tone: 'warning', label: m.wallet_order_asked(), next: m.wallet_order_next_asked() }
  return undefined
}

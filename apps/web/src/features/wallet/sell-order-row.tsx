import { m } from '../../generated/paraglide/messages.js'
import { formatDateTime } from '../../i18n/format.ts'
import type { PaymentRecord } from '../../wallet/payment-record.ts'
import type { SellOrder } from '../../wallet/withdraw-call.ts'
import { useTimeLeft } from './time-left.ts'
import { TransferRow, type TransferState } from './transfer-row.tsx'

/** A transfer out: how it stands and what comes next. `way`: it says that it goes out. */
export function SellOrderRow({
  order,
  record,
  way = false,
}: {
  order: SellOrder
  record: PaymentRecord | undefined
  way?: boolean
}) {
  const isOverdue = useTimeLeft(order.expires_at, isOpen(order))?.isOver === true
  return <TransferRow order={order} state={stateOf(order, record, isOverdue)} out way={way} />
}

/** Orders whose amount is still locked. */
export function isSellUnderWay(order: SellOrder): boolean {
  return isOpen(order) || order.status === 'submitted'
}

function isOpen({ status }: SellOrder): boolean {
  return status === 'locked' || status === 'signed'
}

function stateOf(order: SellOrder, record: PaymentRecord | undefined, isOverdue: boolean): TransferState {
  switch (order.status) {
    case 'completed':
      return { tone: 'accent', label: m.wallet_out_state_completed(), next: undefined }
    case 'expired':
      return { tone: 'plain', label: m.wallet_out_state_expired(), next: m.wallet_out_next_expired() }
    case 'submitted':
      return {
        tone: 'plain',
        label: m.wallet_order_seen(),
        next: m.wallet_order_next_seen({ n: order.confirmations, m: order.required }),
      }
    case 'signed':
    case 'locked':
      if (record?.hash) return { tone: 'plain', label: m.wallet_order_sent(), next: m.wallet_order_next_sent() }
      if (isOverdue) return { tone: 'warn', label: m.wallet_out_state_overdue(), next: m.wallet_out_next_overdue() }
      if (record?.asked) return { tone: 'warn', label: m.wallet_order_asked(), next: m.wallet_order_next_asked() }
      return order.status === 'locked'
        ? { tone: 'plain', label: m.wallet_out_state_locked(), next: m.wallet_out_next_locked() }
        : {
            tone: 'warn',
            label: m.wallet_out_state_signed(),
            next: m.wallet_out_next_signed({ time: formatDateTime(order.expires_at) }),
          }
  }
}

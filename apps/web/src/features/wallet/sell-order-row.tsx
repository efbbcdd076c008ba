import { useNavigate } from '@tanstack/react-router'
import { m } from '../../generated/paraglide/messages.js'
import { AmountText } from '../../ui/amount-text.tsx'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'
import { formatDateTime, formatTime } from '../../ui/format.ts'
import { ListRow } from '../../ui/list-row.tsx'
import type { PaymentRecord } from '../../wallet/payment-record.ts'
import type { SellOrder } from '../../wallet/withdraw-call.ts'
import { useTimeLeft } from './time-left.ts'

/** A transfer out: how it stands and what comes next. The row leads to its progress. `way`: it says that it goes out. */
export function SellOrderRow({
  order,
  record,
  way = false,
}: {
  order: SellOrder
  record: PaymentRecord | undefined
  way?: boolean
}) {
  const navigate = useNavigate()
  const isOverdue = useTimeLeft(order.expires_at, isOpen(order))?.isOver === true
  const { tone, label, next } = stateOf(order, record, isOverdue)
  const search = { order: order.order_id, way: 'out' } as const
  return (
    <ListRow
      {...(way ? { icon: 'arrow-up-from-line' as const } : {})}
      title={<AmountText amount={order.amount} asset={order.asset} className="font-semibold" />}
      detail={
        <>
          <span className="block">
            {way && `${m.wallet_transfer_out()} · `}
            {formatDateTime(order.created_at)}
          </span>
          {next && <span className="block text-text">{next}</span>}
        </>
      }
      value={<Badge tone={tone}>{label}</Badge>}
      onClick={() => navigate({ to: '/{-$locale}/wallet/sendTransaction', search })}
    />
  )
}

/** Orders whose amount is still locked. */
export function isSellUnderWay(order: SellOrder): boolean {
  return isOpen(order) || order.status === 'submitted'
}

function isOpen({ status }: SellOrder): boolean {
  return status === 'locked' || status === 'signed'
}

function stateOf(
  order: SellOrder,
  record: PaymentRecord | undefined,
  isOverdue: boolean,
): { tone: BadgeTone; label: string; next: string | undefined } {
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
      return order.status === 'locked'
        ? { tone: 'plain', label: m.wallet_out_state_locked(), next: m.wallet_out_next_locked() }
        : {
            tone: 'warn',
            label: m.wallet_out_state_signed(),
            next: m.wallet_out_next_signed({ time: formatTime(order.expires_at) }),
          }
  }
}
